#include "trial/trial_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/json.h"

namespace mete {
namespace {

using testing::HasSubstr;
using testing::Not;

TrialResult TwoVariants() {
  return {.entries = {{.label = "cpus=2",
                       .run_ids = {"01A", "01C"},
                       .value = MeanEstimate{.mean = 180,
                                             .interval = Interval{178, 182}},
                       .efficiency = 0.9},
                      {.label = "cpus=1",
                       .run_ids = {"01B"},
                       .failure = "out of memory, killed at 64 MiB"}},
          .decided = true,
          .spent = Seconds(30)};
}

TEST(TrialText, BeginsWithTheAnswer) {
  std::string text = TrialText(TwoVariants());
  EXPECT_THAT(text, testing::StartsWith(
                        "best is cpus=2: 180 steps/s (178 to 182, 95 %)\n"));
  EXPECT_THAT(text, HasSubstr("90 %"));
  EXPECT_THAT(text, HasSubstr("out of memory"));
  EXPECT_THAT(text, Not(HasSubstr("cost")));
}

TEST(TrialText, SaysWhenTheAnswerIsNotKnown) {
  TrialResult result = TwoVariants();
  result.decided = false;
  EXPECT_THAT(TrialText(result), HasSubstr("cannot tell which is best"));
  result.entries[0].value.reset();
  EXPECT_THAT(TrialText(result), HasSubstr("no variant worked"));
}

TEST(TrialText, DoesNotBlameTheVariantsForAnInterruption) {
  TrialResult result = TwoVariants();
  result.decided = false;
  result.interrupted = true;
  result.entries[0].value.reset();
  EXPECT_THAT(TrialText(result),
              HasSubstr("interrupted before any variant had a result"));
}

TEST(TrialText, ShowsLatencyWithItsUnit) {
  TrialResult result = TwoVariants();
  result.objective = TrialObjective::kLatency;
  result.entries[0].value = MeanEstimate{.mean = 0.012};
  EXPECT_THAT(TrialText(result), HasSubstr("cpus=2: 12.0 ms per step"));
}

TEST(TrialJson, LeavesOutWhatIsAbsent) {
  Json json = TrialJson(TwoVariants());
  EXPECT_EQ(json["winner"], "cpus=2");
  EXPECT_EQ(json["variants"][0]["steps_per_second"]["low"], 178);
  EXPECT_FALSE(json["variants"][1].contains("steps_per_second"));
  EXPECT_EQ(json["variants"][1]["failure"], "out of memory, killed at 64 MiB");
  TrialResult open = TwoVariants();
  open.decided = false;
  EXPECT_FALSE(TrialJson(open).contains("winner"));
}

TEST(TrialCsv, HasOneRowForEachVariant) {
  EXPECT_THAT(TrialCsv(TwoVariants()),
              HasSubstr("\ncpus=1,,,,,,1,\"out of memory, killed at 64 MiB\""));
}

}  // namespace
}  // namespace mete
