#include "measure/speed_history.h"

#include <gtest/gtest.h>

#include <functional>

#include "tests/fakes/memory_run_store.h"

namespace mete {
namespace {

// A stable run with this median and an interval of +-1 %.
mete::Run Measured(double microseconds, const std::string& id) {
  mete::Run run;
  run.id = id;
  run.workload.sha256 = "abc";
  run.device_id = "box";
  run.limits.threads = 1;
  Seconds median(microseconds * 1e-6);
  run.network()->latency = LatencySummary{
      .p50 = median, .p50_low = 0.99 * median, .p50_high = 1.01 * median};
  return run;
}

TEST(CompareWithEarlier, NotesAMachineWithAnotherSpeed) {
  EXPECT_EQ(CompareWithEarlier(Measured(58.7, "c"),
                               {Measured(30.2, "a"), Measured(30.6, "b")}),
            "2 earlier runs measured 30.2 us to 30.6 us; this one 58.7 us: the "
            "machine's speed may have changed");
  EXPECT_EQ(CompareWithEarlier(Measured(30.2, "b"), {Measured(58.7, "a")}),
            "1 earlier run measured 58.7 us; this one 30.2 us: the machine's "
            "speed may have changed");
}

TEST(CompareWithEarlier, CountsTheRunsThatAgree) {
  EXPECT_EQ(CompareWithEarlier(Measured(58.7, "c"),
                               {Measured(30.2, "a"), Measured(58.5, "b")}),
            "1 of 2 earlier runs measured 30.2 us; this one 58.7 us: the "
            "machine's speed may have changed");
}

TEST(CompareWithEarlier, SmallOrUncertainDifferencesAreNormal) {
  EXPECT_FALSE(
      CompareWithEarlier(Measured(32, "b"), {Measured(30, "a")}).has_value());
  mete::Run wide = Measured(40, "b");
  wide.network()->latency->p50_low = Seconds(25e-6);
  EXPECT_FALSE(CompareWithEarlier(wide, {Measured(30, "a")}).has_value());
  EXPECT_FALSE(CompareWithEarlier(Measured(40, "b"), {}).has_value());
}

TEST(CompareWithEarlier, IgnoresRunsOfOtherMeasurements) {
  const mete::Run now = Measured(60, "now");
  const std::vector<std::function<void(mete::Run&)>> changes = {
      [](mete::Run& run) { run.workload.sha256 = "other"; },
      [](mete::Run& run) { run.workload.batch = 8; },
      [](mete::Run& run) { run.workload.input_shapes = {"x=2"}; },
      [](mete::Run& run) { run.limits.threads = 2; },
      [](mete::Run& run) { run.limits.pin = "0"; },
      [](mete::Run& run) { run.limits.memory = Mebibytes(64); },
      [](mete::Run& run) { run.limits.cpus = Millicores{500}; },
      [](mete::Run& run) { run.limits.cpuset = "0"; },
      [](mete::Run& run) { run.device_id = "half"; },
      [](mete::Run& run) { run.engine.version = "2"; },
      [](mete::Run& run) { run.network()->engine_options.spinning = false; },
      [](mete::Run& run) { run.load = BackgroundLoad{.asked = 0.4}; },
      [](mete::Run& run) { run.outcome.kind = OutcomeKind::kInterrupted; },
      [](mete::Run& run) {
        run.network()->verdict.kind = VerdictKind::kDrifting;
      },
      [](mete::Run& run) { run.network()->latency->p50_low.reset(); },
      [](mete::Run& run) { run.id = "now"; }};
  for (size_t i = 0; i < changes.size(); ++i) {
    mete::Run other = Measured(30, "a");
    changes[i](other);
    EXPECT_FALSE(CompareWithEarlier(now, {other}).has_value()) << i;
  }
}

// A store with an earlier run of 30 us.
struct HistoryStage {
  MemoryRunStore runs;
  std::chrono::system_clock::time_point began{std::chrono::seconds(1000)};

  HistoryStage() {
    EXPECT_TRUE(runs.SaveDevice({.id = "box", .name = "box"}).ok());
    Save(30, "a", std::chrono::seconds(900));
  }
  void Save(double microseconds, const std::string& id,
            std::chrono::seconds at) {
    mete::Run run = Measured(microseconds, id);
    run.started_at = std::chrono::system_clock::time_point(at);
    EXPECT_TRUE(runs.SaveRun(run).ok());
  }
};

TEST(NoteEarlierSpeed, NotesEarlierRunsInTheStore) {
  HistoryStage stage;
  mete::Run run = Measured(60, "now");
  run.started_at = stage.began;
  NoteEarlierSpeed(stage.runs, stage.began, run);
  ASSERT_EQ(run.network()->notes.size(), 1u);
  EXPECT_EQ(run.network()->notes[0],
            "1 earlier run measured 30.0 us; this one 60.0 us: the machine's "
            "speed may have changed");
}

TEST(NoteEarlierSpeed, IgnoresRunsOfTheSameRepetition) {
  HistoryStage stage;
  stage.Save(60, "first", std::chrono::seconds(1000));
  mete::Run run = Measured(30, "second");
  run.started_at = stage.began + std::chrono::seconds(5);
  NoteEarlierSpeed(stage.runs, stage.began, run);
  EXPECT_TRUE(run.network()->notes.empty());
}

TEST(NoteEarlierSpeed, LeavesApplicationsAlone) {
  HistoryStage stage;
  mete::Run run{.device_id = "box", .details = ApplicationDetails()};
  NoteEarlierSpeed(stage.runs, stage.began, run);
  EXPECT_TRUE(run.application()->notes.empty());
}

TEST(CompareWithEarlier, IntervalsThatTouchDoNotDiffer) {
  mete::Run slow = Measured(100, "slow");
  mete::Run fast = Measured(80, "fast");
  slow.network()->latency->p50_low = Seconds(90e-6);
  fast.network()->latency->p50_high = Seconds(90e-6);
  EXPECT_FALSE(CompareWithEarlier(slow, {fast}).has_value());
  EXPECT_FALSE(CompareWithEarlier(fast, {slow}).has_value());
  fast.network()->latency->p50_high = Seconds(89e-6);
  EXPECT_TRUE(CompareWithEarlier(slow, {fast}).has_value());
  EXPECT_TRUE(CompareWithEarlier(fast, {slow}).has_value());
}

}  // namespace
}  // namespace mete
