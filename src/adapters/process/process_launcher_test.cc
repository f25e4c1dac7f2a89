#include "adapters/process/process_launcher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <thread>

#include "linux/cpu_affinity.h"
#include "tests/contracts/launcher_contract.h"

namespace mete {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

LaunchRequest Shell(const std::string& script) {
  return {.command = {"sh", "-c", script}};
}

LauncherSubject MakeProcesses() {
  return {.launcher = std::make_shared<ProcessLauncher>(),
          .exits_with_3 = Shell("exit 3"),
          .says_hello = Shell("echo hello"),
          .sleeps = {.command = {"sleep", "3600"}},
          .ignores_terminate = Shell("trap '' TERM; sleep 3600"),
          .missing = {.command = {"/nowhere/program"}}};
}

INSTANTIATE_TEST_SUITE_P(Process, LauncherContract,
                         testing::Values(&MakeProcesses));

TEST(ProcessLauncher, RejectsACommandWithoutAProgram) {
  auto started = ProcessLauncher().Start({});
  ASSERT_FALSE(started.ok());
  EXPECT_EQ(started.error().code(), ErrorCode::kInvalidInput);
}

// Only root may do it; everybody else gets one clear line.
TEST(ProcessLauncher, RunsACommandAsAnotherUser) {
  LaunchRequest request = Shell(
      "id -u; id -g; id -G; echo $HOME $USER $LOGNAME > /dev/stdout; "
      "grep NoNewPrivs /proc/self/status");
  request.user = ProcessUser{.id = 23456,
                             .group = 23457,
                             .groups = {23457, 23458},
                             .name = "jobs",
                             .home = "/srv"};
  request.environment["USER"] = "given";
  std::string text;
  request.output = [&](std::string_view part) { text += part; };
  auto started = ProcessLauncher().Start(request);
  if (geteuid() != 0) {
    ASSERT_FALSE(started.ok());
    EXPECT_EQ(started.error().code(), ErrorCode::kPermissionDenied);
    EXPECT_THAT(started.error().message(), HasSubstr("become jobs"));
    return;
  }
  ASSERT_TRUE(started.ok()) << started.error().message();
  EXPECT_TRUE((*started)->Wait(std::chrono::seconds(20)));
  (*started)->Kill();  // the output is complete now
  EXPECT_EQ(text,
            "23456\n23457\n23457 23458\n/srv given jobs\nNoNewPrivs:\t1\n");
}

// The variables of a service often contain passwords.
TEST(ProcessLauncher, AnotherUserDoesNotGetTheVariablesOfMete) {
  if (geteuid() != 0) GTEST_SKIP() << "needs root to become another user";
  setenv("METE_TEST_PASSWORD", "secret", 1);
  LaunchRequest request =
      Shell("echo ${METE_TEST_PASSWORD-none} ${GIVEN-none} ${PATH:+path}");
  request.environment["GIVEN"] = "given";
  auto said = [&] {
    std::string text;
    request.output = [&](std::string_view part) { text += part; };
    auto started = ProcessLauncher().Start(request);
    EXPECT_TRUE(started.ok()) << started.error().message();
    EXPECT_TRUE((*started)->Wait(std::chrono::seconds(20)));
    (*started)->Kill();
    return text;
  };
  EXPECT_EQ(said(), "secret given path\n");
  request.user = ProcessUser{
      .id = 23456, .group = 23457, .groups = {}, .name = "jobs", .home = "/"};
  EXPECT_EQ(said(), "none given path\n");
  unsetenv("METE_TEST_PASSWORD");
}

// One thread cannot use more CPU time than its program takes. What the copy of
// mete used before exec, and its time, belong to neither.
TEST(ProcessLauncher, AThreadUsesAtMostOneCpu) {
  for (int i = 0; i < 10; ++i) {
    auto started = ProcessLauncher().Start({.command = {"true"}});
    ASSERT_TRUE(started.ok()) << started.error().message();
    ASSERT_TRUE((*started)->Wait(std::chrono::seconds(20)));
    (*started)->Kill();
    auto cpu = (*started)->Usage().cpu;
    ASSERT_TRUE(cpu);
    EXPECT_GT(cpu->count(), 0);
    EXPECT_LE(cpu->count(), Seconds(*(*started)->Outcome().lifetime).count());
  }
}

// The last CPU that this process may use: the first is what a pin that does
// nothing would often show, too.
TEST(ProcessLauncher, PinsACommandToItsCpus) {
  std::vector<int> usable = AllowedCpus();
  ASSERT_FALSE(usable.empty());
  LaunchRequest request = Shell("grep Cpus_allowed_list /proc/self/status");
  request.limits.pin = std::to_string(usable.back());
  std::string text;
  request.output = [&](std::string_view part) { text += part; };
  auto started = ProcessLauncher().Start(request);
  ASSERT_TRUE(started.ok()) << started.error().message();
  EXPECT_TRUE((*started)->Wait(std::chrono::seconds(20)));
  (*started)->Kill();  // the output is complete now
  EXPECT_EQ(text, "Cpus_allowed_list:\t" + *request.limits.pin + "\n");
}

TEST(ProcessLauncher, RefusesToPinToACpuThatDoesNotExist) {
  LaunchRequest request = Shell("true");
  request.limits.pin = "65000";
  auto started = ProcessLauncher().Start(request);
  ASSERT_FALSE(started.ok());
  EXPECT_EQ(started.error().code(), ErrorCode::kUnsupported);
}

constexpr std::chrono::seconds kLong{20};

// The parent of an application is mete's own keeper.
TEST(ProcessLauncher, AnApplicationThatKillsItsKeeperHasEnded) {
  auto started =
      ProcessLauncher().Start(Shell("sleep 3600 & kill -9 $PPID; sleep 3600"));
  ASSERT_TRUE(started.ok()) << started.error().message();
  RunningApplication& application = **started;
  ASSERT_TRUE(application.Wait(kLong));
  application.Kill();
  const ProcessEnding ending = application.Outcome();
  EXPECT_FALSE(ending.exit_code.has_value());
  EXPECT_FALSE(ending.signal.has_value());
  EXPECT_THAT(ending.evidence, HasSubstr("was killed"));
  EXPECT_THAT(application.ProcessIds(), IsEmpty()) << "orphans";
}

// A stopped keeper neither reports nor listens.
TEST(ProcessLauncher, AnApplicationThatStopsItsKeeperIsKilled) {
  auto started =
      ProcessLauncher().Start(Shell("kill -STOP $PPID; exec sleep 3600"));
  ASSERT_TRUE(started.ok()) << started.error().message();
  RunningApplication& application = **started;
  EXPECT_FALSE(application.Wait(std::chrono::milliseconds(300)));
  application.Kill();
  EXPECT_THAT(application.ProcessIds(), IsEmpty());
}

// A process in the background keeps the output open.
TEST(ProcessLauncher, ABackgroundProcessDoesNotSurviveItsKeeper) {
  auto started = ProcessLauncher().Start(
      Shell("keeper=$PPID; (sleep 0.3; kill -9 $keeper; sleep 3600) & exit 0"));
  ASSERT_TRUE(started.ok()) << started.error().message();
  RunningApplication& application = **started;
  ASSERT_TRUE(application.Wait(kLong));
  std::this_thread::sleep_for(std::chrono::milliseconds(600));
  application.Kill();
  EXPECT_EQ(application.Outcome().exit_code, 0);
  EXPECT_THAT(application.ProcessIds(), IsEmpty());
}

// The keeper's own count died with it.
TEST(ProcessLauncher, NothingIsKnownOfAnApplicationWithoutKeeperAndCgroup) {
  if (geteuid() == 0) GTEST_SKIP() << "root always has a cgroup";
  auto started = ProcessLauncher().Start(Shell("kill -9 $PPID; sleep 3600"));
  ASSERT_TRUE(started.ok()) << started.error().message();
  ASSERT_TRUE((*started)->Wait(kLong));
  (*started)->Kill();
  EXPECT_FALSE((*started)->Usage().cpu.has_value());
}

}  // namespace
}  // namespace mete
