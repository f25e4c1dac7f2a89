// Workloads of known cost are measured right on this machine: through the
// process launcher, in control groups where they can be made.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "adapters/host/linux_machine_probe.h"
#include "adapters/process/process_launcher.h"
#include "linux/cgroup_facts.h"
#include "measure/run_application.h"
#include "support/file.h"
#include "tests/fakes/fake_host.h"

namespace mete {
namespace {

using testing::HasSubstr;

bool CanMakeGroups() {
  CgroupFacts facts = ReadCgroups(SystemRoot());
  const CgroupController* memory = facts.Find("memory");
  const CgroupController* cpu = facts.Find("cpu");
  return geteuid() == 0 && memory != nullptr && memory->writable &&
         cpu != nullptr && cpu->writable;
}

#define NEEDS_GROUPS()                                                       \
  if (!CanMakeGroups()) {                                                    \
    GTEST_SKIP() << "needs root and writable memory and cpu control groups"; \
  }

class KnownWorkloads : public testing::Test {
 protected:
  mete::Run Measure(std::vector<std::string> arguments, Limits limits = {},
                    std::optional<Seconds> timeout = Seconds(60)) {
    ApplicationRequest request{.timeout = timeout, .grace = Seconds(0.2)};
    arguments.insert(arguments.begin(), METE_KNOWN_WORKLOAD);
    request.launch = {.command = std::move(arguments), .limits = limits};
    auto done = RunApplication(request,
                               {.launcher = launcher_,
                                .machine = machine_,
                                .host = host_,
                                .clock = clock_},
                               {}, {});
    EXPECT_TRUE(done.ok()) << done.error().message();
    return done.ok() ? done->run : mete::Run{};
  }

  SystemClock clock_;
  FakeHost host_;
  LinuxMachineProbe machine_{SystemRoot(), clock_};
  ProcessLauncher launcher_;
};

bool Lives(pid_t pid) { return kill(pid, 0) == 0; }

TEST_F(KnownWorkloads, CountsTwoHundredMillisecondsOfCpuWithinFivePercent) {
  mete::Run run = Measure({"burn", "200"});
  EXPECT_EQ(run.outcome.kind, OutcomeKind::kCompleted) << run.outcome.detail;
  EXPECT_NEAR(*run.cpu_seconds, 0.200, 0.010);
}

TEST_F(KnownWorkloads, CountsSixtyFourMebibytesWithinTwo) {
  mete::Run run = Measure({"touch", "64"});
  double mebibytes = static_cast<double>(run.peak_rss->count) / (1 << 20);
  // Without a group the program itself counts too: some MiB of libraries.
  EXPECT_NEAR(mebibytes, CanMakeGroups() ? 64 : 66, CanMakeGroups() ? 2 : 4);
}

TEST_F(KnownWorkloads, LooksAtProportionalMemoryBeforeItEndsAnything) {
  mete::Run run = Measure({"hold", "64"}, {}, Seconds(1.5));
  ASSERT_TRUE(run.application->usage.proportional_memory.has_value());
  auto bytes = run.application->usage.proportional_memory->count;
  EXPECT_NEAR(static_cast<double>(bytes) / (1 << 20), 65, 2);
}

TEST_F(KnownWorkloads, AreCountedInAGroupOfTheVersionThatIsMounted) {
  NEEDS_GROUPS();
  mete::Run run = Measure({"sleep", "200"});
  int version = ReadCgroups(SystemRoot()).Find("memory")->version;
  EXPECT_EQ(run.application->accounting, "cgroup v" + std::to_string(version));
  const ResourceUsage& usage = run.application->usage;
  EXPECT_TRUE(usage.cpu && usage.cpu_user && usage.memory_peak);
  EXPECT_GT(usage.minor_faults.value_or(0), 20u);
  EXPECT_TRUE(usage.major_faults && usage.oom_kills);
}

TEST_F(KnownWorkloads, GetAGroupBesideAProcessOfItsOwn) {
  NEEDS_GROUPS();
  // As a monitor that mete has started: in its group, and not to be left out.
  pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    pause();
    _exit(0);
  }
  mete::Run run = Measure({"sleep", "10"});
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_THAT(run.application->accounting, HasSubstr("cgroup v"));
}

TEST_F(KnownWorkloads, ASleeperTakesNearlyNothing) {
  mete::Run run = Measure({"sleep", "500"});
  EXPECT_NEAR(run.application->seconds, 0.5, 0.1);
  EXPECT_LT(*run.cpu_seconds, 0.02);
}

TEST_F(KnownWorkloads, CountsAForkingTreeWhole) {
  mete::Run run = Measure({"tree", "100"});
  EXPECT_EQ(run.outcome.kind, OutcomeKind::kCompleted) << run.outcome.detail;
  EXPECT_NEAR(*run.cpu_seconds, 0.400, 0.020);
}

TEST_F(KnownWorkloads, EndsAProcessThatLeftItsSessionAndParent) {
  auto folder = ScratchFolder::Create();
  ASSERT_TRUE(folder.ok());
  auto file = folder->path() / "pid";
  mete::Run run = Measure({"background", file.string()});
  EXPECT_EQ(run.outcome.kind, OutcomeKind::kCompleted) << run.outcome.detail;
  pid_t pid = std::stoi(*ReadFile(file));
  EXPECT_FALSE(Lives(pid)) << pid;
}

TEST_F(KnownWorkloads, EndsWhatIgnoresSigtermAtTheTimeout) {
  mete::Run run = Measure({"stubborn"}, {}, Seconds(0.3));
  EXPECT_EQ(run.outcome.kind, OutcomeKind::kTimedOut);
  EXPECT_THAT(run.outcome.detail, HasSubstr("did not heed SIGTERM"));
  EXPECT_LT(run.application->seconds, 1);
}

TEST_F(KnownWorkloads, AHogAboveItsLimitIsOutOfMemory) {
  NEEDS_GROUPS();
  mete::Run run = Measure({"touch", "200"}, {.memory = Mebibytes(64)});
  EXPECT_EQ(run.outcome.kind, OutcomeKind::kOutOfMemory) << run.outcome.detail;
  EXPECT_EQ(run.application->usage.oom_kills, 1u);
  EXPECT_THAT(run.outcome.detail, HasSubstr("limit of 64.0 MiB"));
}

TEST_F(KnownWorkloads, AHalfCpuQuotaGivesHalfACpuAndSaysThrottled) {
  NEEDS_GROUPS();
  mete::Run run = Measure({"burn", "1000"}, {.cpus = Millicores{500}});
  double share = *run.cpu_seconds / run.application->seconds;
  EXPECT_NEAR(share, 0.5, 0.03);
  EXPECT_GT(*run.application->usage.throttled_periods, 0u);
}

TEST_F(KnownWorkloads, ALimitTheKernelCannotKeepIsRejected) {
  NEEDS_GROUPS();
  mete::Run run = Measure({"sleep", "1"}, {.cpus = Millicores{1}});
  EXPECT_EQ(run.outcome.kind, OutcomeKind::kRejected);
  EXPECT_THAT(run.outcome.detail, HasSubstr("smallest is 10m"));
}

// Starts a child that launches an application and is killed itself.
TEST_F(KnownWorkloads, NothingSurvivesTheDeathOfMete) {
  auto folder = ScratchFolder::Create();
  ASSERT_TRUE(folder.ok());
  auto file = folder->path() / "pid";
  pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    ProcessLauncher launcher;
    auto application = launcher.Start(
        {.command = {METE_KNOWN_WORKLOAD, "background", file.string()}});
    // The application has left something behind when the file is there.
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
