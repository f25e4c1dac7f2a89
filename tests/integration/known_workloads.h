// Tests that workloads of known cost are measured correctly by a launcher. A
// test file includes this and instantiates the suite.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "adapters/host/linux_machine_probe.h"
#include "linux/cgroup_facts.h"
#include "measure/run_application.h"
#include "tests/fakes/fake_host.h"

namespace mete {

// A way to run known_workload with some arguments.
struct KnownSubject {
  std::string unavailable;  // why the tests are skipped; empty: they run
  Launcher* launcher = nullptr;
  LaunchRequest base;             // command up to the arguments
  bool groups = true;             // limits work and memory is exact
  std::shared_ptr<void> owner{};  // owns what is borrowed
};

class KnownWorkloads : public testing::TestWithParam<KnownSubject (*)()> {
 protected:
  void SetUp() override {
    if (!subject_.unavailable.empty()) GTEST_SKIP() << subject_.unavailable;
  }

  mete::Run Measure(const std::vector<std::string>& arguments,
                    const Limits& limits = {},
                    std::optional<Seconds> timeout = Seconds(60)) {
    PreparedApplication prepared{
        .spec = {.limits = limits, .timeout = timeout, .grace = Seconds(0.2)},
        .launch = subject_.base,
        .launcher = subject_.launcher};
    prepared.launch.limits = limits;
    for (const std::string& word : arguments) {
      prepared.launch.command.push_back(word);
    }
    auto done = RunApplication(
        prepared, {.machine = machine_, .host = host_, .clock = clock_}, {},
        {});
    EXPECT_TRUE(done.ok()) << done.error().message();
    return done.ok() ? done->run : mete::Run{};
  }

  SystemClock clock_;
  FakeHost host_;
  LinuxMachineProbe machine_{SystemRoot(), clock_};
  KnownSubject subject_ = GetParam()();
};

#define NEEDS_GROUPS()                                                \
  if (!subject_.groups) {                                             \
    GTEST_SKIP() << "needs root and writable memory and cpu cgroups"; \
  }

TEST_P(KnownWorkloads, CountsTwoHundredMillisecondsOfCpuWithinFivePercent) {
  mete::Run run = Measure({"burn", "200"});
  EXPECT_EQ(run.outcome.kind, OutcomeKind::kCompleted) << run.outcome.detail;
  EXPECT_NEAR(run.cpu_time->count(), 0.200, 0.010);
}

TEST_P(KnownWorkloads, CountsSixtyFourMebibytesWithinTwo) {
  mete::Run run = Measure({"touch", "64"});
  double mebibytes = static_cast<double>(run.peak_rss->count) / (1 << 20);
  // Without a cgroup, the program's libraries (some MiB) count too.
  EXPECT_NEAR(mebibytes, subject_.groups ? 64 : 66, subject_.groups ? 2 : 4);
}

TEST_P(KnownWorkloads, ReadsProportionalMemoryBeforeTheEnd) {
  mete::Run run = Measure({"hold", "64"}, {}, Seconds(1.5));
  ASSERT_TRUE(run.application()->usage.proportional_memory.has_value());
  auto bytes = run.application()->usage.proportional_memory->count;
  EXPECT_NEAR(static_cast<double>(bytes) / (1 << 20), 65, 2);
}

TEST_P(KnownWorkloads, TellsAnonymousMemoryFromFiles) {
  mete::Run run = Measure({"hold", "64"}, {}, Seconds(1.5));
  const ResourceUsage& usage = run.application()->usage;
  ASSERT_TRUE(usage.memory_anonymous && usage.memory_file);
  EXPECT_NEAR(static_cast<double>(usage.memory_anonymous->count) / (1 << 20),
              64, 2);
  EXPECT_LT(*usage.memory_file, Mebibytes(8));
}

TEST_P(KnownWorkloads, AreCountedInAGroupOfTheMountedVersion) {
  NEEDS_GROUPS();
  mete::Run run = Measure({"sleep", "200"});
  int version = ReadCgroups(SystemRoot()).Find("memory")->version;
  EXPECT_THAT(run.application()->accounting,
              testing::StartsWith("cgroup v" + std::to_string(version)));
  const ResourceUsage& usage = run.application()->usage;
  EXPECT_TRUE(usage.cpu && usage.cpu_user && usage.memory_peak);
  // Absent until the kernel has summed up its counters.
  if (usage.minor_faults) {
    EXPECT_GT(*usage.minor_faults, 20u);
  }
  EXPECT_TRUE(usage.major_faults && usage.oom_kills);
}

TEST_P(KnownWorkloads, ASleeperUsesNearlyNoCpu) {
  mete::Run run = Measure({"sleep", "500"});
  EXPECT_NEAR(run.application()->duration->count(), 0.5, 0.1);
  EXPECT_LT(run.cpu_time->count(), 0.02);
}

TEST_P(KnownWorkloads, CountsAllProcessesOfATree) {
  mete::Run run = Measure({"tree", "100"});
  EXPECT_EQ(run.outcome.kind, OutcomeKind::kCompleted) << run.outcome.detail;
  EXPECT_NEAR(run.cpu_time->count(), 0.400, 0.020);
}

TEST_P(KnownWorkloads, KillsAProcessThatIgnoresSigtermAtTheTimeout) {
  mete::Run run = Measure({"stubborn"}, {}, Seconds(0.3));
  EXPECT_EQ(run.outcome.kind, OutcomeKind::kTimedOut);
  EXPECT_THAT(run.outcome.detail, testing::HasSubstr("ignored SIGTERM"));
  EXPECT_LT(run.application()->duration->count(), 1);
}

TEST_P(KnownWorkloads, ExceedingTheMemoryLimitIsOutOfMemory) {
  NEEDS_GROUPS();
  mete::Run run = Measure({"touch", "200"}, {.memory = Mebibytes(64)});
  EXPECT_EQ(run.outcome.kind, OutcomeKind::kOutOfMemory) << run.outcome.detail;
  EXPECT_EQ(run.application()->usage.oom_kills, 1u);
  EXPECT_THAT(run.outcome.detail, testing::HasSubstr("limit of 64.0 MiB"));
}

// A tenth of a CPU, because a busy machine may leave less than a half.
TEST_P(KnownWorkloads, ATenthCpuQuotaGivesATenthOfACpuAndReportsThrottling) {
  NEEDS_GROUPS();
  mete::Run run = Measure({"burn", "300"}, {.cpus = Millicores{100}});
  double share = *run.cpu_time / *run.application()->duration;
  EXPECT_NEAR(share, 0.1, 0.01);
  ASSERT_TRUE(run.application()->usage.throttled_periods.has_value());
  EXPECT_GT(*run.application()->usage.throttled_periods, 0u);
}

TEST_P(KnownWorkloads, ALimitThatCannotBeEnforcedIsRejected) {
  NEEDS_GROUPS();
  mete::Run run = Measure({"sleep", "1"}, {.cpus = Millicores{1}});
  EXPECT_EQ(run.outcome.kind, OutcomeKind::kRejected) << run.outcome.detail;
}

}  // namespace mete
