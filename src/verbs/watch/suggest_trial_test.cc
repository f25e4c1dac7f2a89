#include "watch/suggest_trial.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mete {
namespace {

using testing::HasSubstr;

SubjectAnalysis Used(double cores, double bytes) {
  SubjectAnalysis analysis;
  analysis.job.series = {{"cpu", {.summary = SeriesSummary{.max = cores}}},
                         {"memory", {.summary = SeriesSummary{.max = bytes}}}};
  return analysis;
}

// Limits of 2 CPUs and 2 GiB.
PodObject Pod(const std::string& last_ending = "") {
  return {.containers = {
              {.image = "example.com/train:1",
               .limits = {.cpus = Millicores{2000}, .memory = Gibibytes(2)},
               .last_ending = last_ending}}};
}

constexpr double kGib = 1 << 30;

TEST(SuggestTrial, NothingIsUncertainBelowTheLimits) {
  EXPECT_FALSE(SuggestTrial(Pod(), Used(1.8, 1.8 * kGib), {}));
}

TEST(SuggestTrial, APodAtItsCpuLimitMayNeedMore) {
  auto trial = SuggestTrial(Pod(), Used(1.95, kGib), {});
  ASSERT_TRUE(trial);
  EXPECT_EQ(trial->reason, "used 1.95 of the 2 CPUs that it may use");
  EXPECT_EQ(trial->command,
            "mete trial --launcher kubernetes --image example.com/train:1 "
            "--vary cpus=2000m,4000m,8000m");
}

TEST(SuggestTrial, APodThatRanOutOfMemoryNeedsMoreThanItHad) {
  auto trial = SuggestTrial(Pod("OOMKilled"), Used(1, kGib), {});
  ASSERT_TRUE(trial);
  EXPECT_EQ(trial->reason, "ran out of memory at 2.0 GiB");
  EXPECT_THAT(trial->command, HasSubstr("--vary memory=3072Mi,4096Mi,8192Mi"));
}

TEST(SuggestTrial, MemoryAtItsLimitIsCompared) {
  auto trial = SuggestTrial(Pod(), Used(1, 1.99 * kGib), {});
  ASSERT_TRUE(trial);
  EXPECT_THAT(trial->command,
              HasSubstr("--vary memory=2048Mi,3072Mi,4096Mi,8192Mi"));
}

TEST(SuggestTrial, AsksBothQuestionsAtOnceAndKeepsTheGpus) {
  PodObject pod = Pod("OOMKilled");
  pod.containers[0].limits.devices["nvidia.com/gpu"] = 2;
  auto trial = SuggestTrial(pod, Used(2, kGib), {});
  ASSERT_TRUE(trial);
  EXPECT_THAT(trial->reason, HasSubstr("; ran out of memory"));
  EXPECT_THAT(trial->command, HasSubstr("8000m --vary memory=3072Mi"));
  EXPECT_THAT(trial->command, HasSubstr(" --vary gpu=2"));
}

TEST(SuggestTrial, DoesNotAskForMoreThanANodeHas) {
  auto trial = SuggestTrial(Pod(), Used(2, kGib), {.cpus = Millicores{4000}});
  ASSERT_TRUE(trial);
  EXPECT_THAT(trial->command, testing::EndsWith("cpus=2000m,4000m"));
  EXPECT_FALSE(SuggestTrial(Pod(), Used(2, kGib), {.cpus = Millicores{3900}}));
}

TEST(SuggestTrial, APodWithoutLimitsIsMeasuredAsItIs) {
  PodObject pod = Pod();
  pod.containers[0].limits = {};
  EXPECT_FALSE(SuggestTrial(pod, Used(64, 64 * kGib), {}));
}

TEST(SuggestTrial, IsAboutOneContainer) {
  PodObject pod = Pod();
  pod.containers.push_back(pod.containers[0]);
  EXPECT_FALSE(SuggestTrial(pod, Used(2, kGib), {}));
}

// Whoever may create a pod chooses the name, and an operator runs the command.
TEST(SuggestTrial, DoesNotRepeatAnImageThatAShellCouldMisread) {
  for (const char* image :
       {"", "a$(reboot)", "a;b", "a b", "-x", "a'b", "a\nb", "a`b`"}) {
    PodObject pod = Pod();
    pod.containers[0].image = image;
    EXPECT_FALSE(SuggestTrial(pod, Used(2, kGib), {})) << image;
  }
}

}  // namespace
}  // namespace mete
