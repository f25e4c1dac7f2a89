#include "compare/compare_runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/fakes/memory_run_store.h"

namespace mete {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

struct CompareRunsStage {
  MemoryRunStore store;

  CompareRunsStage() {
    EXPECT_TRUE(store.SaveDevice({.id = "d1", .name = "box"}).ok());
    EXPECT_TRUE(store.SaveDevice({.id = "d2", .name = "pi"}).ok());
  }

  Run NetworkRun(const std::string& id, double median, double half_width) {
    Run run{.id = id,
            .workload = {.name = "net", .source = "/tmp/net.onnx"},
            .device_id = "d1",
            .device_name = "box"};
    run.network()->iterations = 300;
    run.network()->latency =
        LatencySummary{.min = Seconds(median * 0.9),
                       .p50 = Seconds(median),
                       .max = Seconds(median * 2),
                       .p50_low = Seconds(median - half_width),
                       .p50_high = Seconds(median + half_width)};
    return run;
  }
  Run CommandRun(const std::string& id, double seconds) {
    Run run{.id = id,
            .workload = {.kind = WorkloadKind::kCommand,
                         .name = "app",
                         .source = "./app --fast"},
            .device_id = "d1",
            .device_name = "box",
            .details = ApplicationDetails{.duration = Seconds(seconds),
                                          .exit_code = 0}};
    return run;
  }
  void Save(const Run& run) { EXPECT_TRUE(store.SaveRun(run).ok()); }
};

TEST(CompareRuns, ComparesTwoNetworksByTheirInferences) {
  CompareRunsStage stage;
  stage.Save(stage.NetworkRun("A", 0.010, 0.0001));
  stage.Save(stage.NetworkRun("B", 0.012, 0.0001));
  auto found = CompareRuns({.first = {"A"}, .second = {"B"}}, stage.store);
  ASSERT_TRUE(found.ok()) << found.error().message();
  EXPECT_EQ(found->basis, ComparisonBasis::kInferences);
  EXPECT_EQ(found->first.what, "net on box");
  EXPECT_EQ(found->first.values, 300u);
  EXPECT_NEAR(found->ratio.ratio, 1.2, 1e-12);
  ASSERT_TRUE(found->ratio.interval.has_value());
  EXPECT_NEAR(found->ratio.interval->low, 1.184, 0.001);
  EXPECT_NEAR(found->ratio.interval->high, 1.216, 0.001);
  EXPECT_EQ(JudgeSpeed(found->ratio), SpeedVerdict::kSlower);
  EXPECT_THAT(found->notes, Contains(HasSubstr("one process each")));
}

TEST(CompareRuns, SeveralRunsOfANetworkIncludeDifferencesBetweenProcesses) {
  CompareRunsStage stage;
  CompareRunsRequest request;
  for (int i = 0; i < 6; ++i) {
    std::string suffix = std::to_string(i);
    stage.Save(stage.NetworkRun("A" + suffix, 0.010 + 0.001 * i, 1e-5));
    stage.Save(stage.NetworkRun("B" + suffix, 0.011 + 0.001 * i, 1e-5));
    request.first.push_back("A" + suffix);
    request.second.push_back("B" + suffix);
  }
  auto found = CompareRuns(request, stage.store);
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found->basis, ComparisonBasis::kRuns);
  EXPECT_EQ(found->first.values, 6u);
  EXPECT_EQ(JudgeSpeed(found->ratio), SpeedVerdict::kCannotTell);
  EXPECT_THAT(found->notes, IsEmpty());
}

TEST(CompareRuns, SaysWhenOneSideWasMeasuredBeforeTheOther) {
  CompareRunsStage stage;
  int minute = 0;
  auto save = [&](const std::string& id) {
    mete::Run run = stage.CommandRun(id, 1);
    run.started_at =
        std::chrono::system_clock::time_point(std::chrono::minutes(++minute));
    stage.Save(run);
  };
  for (const char* id : {"A1", "A2", "B1", "B2", "A3"}) save(id);
  auto block =
      CompareRuns({.first = {"A1", "A2"}, .second = {"B1", "B2"}}, stage.store);
  EXPECT_THAT(block.value().notes,
              Contains(HasSubstr("all runs of A were made before those of B")));
  auto back =
      CompareRuns({.first = {"B1", "B2"}, .second = {"A1", "A2"}}, stage.store);
  EXPECT_THAT(back.value().notes,
              Contains(HasSubstr("all runs of B were made before those of A")));
  auto mixed = CompareRuns(
      {.first = {"A1", "A2", "A3"}, .second = {"B1", "B2"}}, stage.store);
  EXPECT_THAT(mixed.value().notes, IsEmpty());
}

TEST(CompareRuns, OneRunOfACommandHasNoInterval) {
  CompareRunsStage stage;
  stage.Save(stage.CommandRun("A", 1));
  stage.Save(stage.CommandRun("B", 2));
  auto found = CompareRuns({.first = {"A"}, .second = {"B"}}, stage.store);
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found->first.what, "./app --fast on box");
  EXPECT_DOUBLE_EQ(found->ratio.ratio, 2);
  EXPECT_FALSE(found->ratio.interval.has_value());
  EXPECT_EQ(JudgeSpeed(found->ratio), SpeedVerdict::kCannotTell);
}

TEST(CompareRuns, NotesWhatElseDiffers) {
  CompareRunsStage stage;
  stage.Save(stage.NetworkRun("A", 0.010, 0.0001));
  mete::Run other = stage.NetworkRun("B", 0.012, 0.0001);
  other.device_id = "d2";
  other.device_name = "pi";
  other.limits.threads = 4;
  other.network()->verdict = {.kind = VerdictKind::kDrifting,
                              .explanation = "drifts"};
  stage.Save(other);
  auto found = CompareRuns({.first = {"A"}, .second = {"B"}}, stage.store);
  ASSERT_TRUE(found.ok());
  EXPECT_THAT(found->notes, Contains("the device differs: box and pi"));
  EXPECT_THAT(found->notes, Contains("the number of threads differs: none and "
                                     "4"));
  EXPECT_THAT(found->notes,
              Contains("the latency of run B is not reliable: drifts"));
}

TEST(CompareRuns, RefusesRunsThatDidNotSucceed) {
  CompareRunsStage stage;
  stage.Save(stage.CommandRun("A", 1));
  mete::Run failed = stage.CommandRun("B", 2);
  failed.application()->exit_code = 7;
  failed.outcome.detail = "exit code 7";
  stage.Save(failed);
  auto found = CompareRuns({.first = {"A"}, .second = {"B"}}, stage.store);
  ASSERT_FALSE(found.ok());
  EXPECT_THAT(found.error().message(),
              HasSubstr("run B did not succeed: completed, exit code 7"));
}

TEST(CompareRuns, RefusesObservationsBecauseTheirDurationWasChosen) {
  CompareRunsStage stage;
  stage.Save(stage.CommandRun("A", 1));
  mete::Run observed = stage.CommandRun("B", 30);
  observed.workload.kind = WorkloadKind::kService;
  stage.Save(observed);
  auto found = CompareRuns({.first = {"A"}, .second = {"B"}}, stage.store);
  ASSERT_FALSE(found.ok());
  EXPECT_THAT(found.error().message(), HasSubstr("already running"));
}

TEST(CompareRuns, RefusesTheSameRunTwiceAndKindsThatDoNotMix) {
  CompareRunsStage stage;
  stage.Save(stage.CommandRun("A", 1));
  stage.Save(stage.NetworkRun("N", 0.01, 0.001));
  auto twice = CompareRuns({.first = {"A"}, .second = {"A"}}, stage.store);
  ASSERT_FALSE(twice.ok());
  EXPECT_THAT(twice.error().message(), HasSubstr("named twice"));
  auto mixed = CompareRuns({.first = {"A"}, .second = {"N"}}, stage.store);
  ASSERT_FALSE(mixed.ok());
  EXPECT_THAT(mixed.error().message(), HasSubstr("cannot compare a network"));
}

}  // namespace
}  // namespace mete
