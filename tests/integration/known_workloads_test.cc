// Tests that the process launcher measures workloads of known cost correctly,
// in cgroups where possible, and leaves no process behind.
#include "tests/integration/known_workloads.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "adapters/process/process_launcher.h"
#include "linux/cgroup_facts.h"
#include "support/file.h"

namespace mete {
namespace {

bool CanMakeGroups() {
  CgroupFacts facts = ReadCgroups(SystemRoot());
  const CgroupController* memory = facts.Find("memory");
  const CgroupController* cpu = facts.Find("cpu");
  return geteuid() == 0 && memory != nullptr && memory->writable &&
         cpu != nullptr && cpu->writable;
}

KnownSubject Processes() {
  auto launcher = std::make_shared<ProcessLauncher>();
  return {.launcher = launcher.get(),
          .base = {.command = {METE_KNOWN_WORKLOAD}},
          .groups = CanMakeGroups(),
          .owner = launcher};
}

INSTANTIATE_TEST_SUITE_P(Process, KnownWorkloads, testing::Values(&Processes));

bool Lives(pid_t pid) { return kill(pid, 0) == 0; }

TEST(ProcessTree, GetsAGroupBesideAProcessOfMetes) {
  if (!CanMakeGroups()) GTEST_SKIP() << "needs root and cgroups";
  // A process in mete's cgroup, like a monitor that mete has started.
  pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    pause();
    _exit(0);
  }
  ProcessLauncher launcher;
  auto application = launcher.Start({.command = {"true"}});
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  ASSERT_TRUE(application.ok()) << application.error().message();
  EXPECT_THAT((*application)->Accounting(), testing::HasSubstr("cgroup v"));
}

TEST(ProcessTree, EndsAProcessThatLeftItsSessionAndParent) {
  auto folder = ScratchFolder::Create();
  ASSERT_TRUE(folder.ok());
  auto file = folder->path() / "pid";
  ProcessLauncher launcher;
  auto application = launcher.Start(
      {.command = {METE_KNOWN_WORKLOAD, "background", file.string()}});
  ASSERT_TRUE(application.ok()) << application.error().message();
  ASSERT_TRUE((*application)->Wait(std::chrono::seconds(20)));
  (*application)->Kill();
  pid_t pid = std::stoi(*ReadFile(file));
  EXPECT_FALSE(Lives(pid)) << pid;
}

// Starts a child that launches an application and is killed itself.
TEST(ProcessTree, NothingSurvivesTheDeathOfMete) {
  auto folder = ScratchFolder::Create();
  ASSERT_TRUE(folder.ok());
  auto file = folder->path() / "pid";
  pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    ProcessLauncher launcher;
    auto application = launcher.Start(
        {.command = {METE_KNOWN_WORKLOAD, "background", file.string()}});
    // When the file exists, the application has started its process.
    while (access(file.c_str(), R_OK) != 0) usleep(1000);
    kill(getpid(), SIGKILL);
  }
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  pid_t orphan = std::stoi(*ReadFile(file));
  for (int i = 0; i < 500 && Lives(orphan); ++i) usleep(10'000);
  EXPECT_FALSE(Lives(orphan)) << orphan;
}

}  // namespace
}  // namespace mete
