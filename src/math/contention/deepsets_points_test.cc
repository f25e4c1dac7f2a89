#include "contention/deepsets_points.h"

#include <gtest/gtest.h>

namespace mete {
namespace {

MixObservation Row(const std::string& application, int instances, double rate,
                   double time) {
  MixObservation row{
      .mix = "m",
      .tenant = {
          .application = application, .instances = instances, .rate = rate}};
  row.service = {.mean = time, .p50 = time, .p75 = time, .p95 = time};
  row.usage.cpu_cores = 10 * time;
  return row;
}

const std::vector<std::string> kApplications{"a", "b"};

std::vector<DeepSetsPoint> PointsOf(std::vector<MixObservation> rows,
                                    bool absent = false) {
  std::vector<MeasuredMix> mixes{{std::move(rows)}};
  return MakeDeepSetsPoints(
      mixes, {.applications = kApplications, .absent_targets = absent});
}

TEST(DeepSetsPoints, ATenantIsATargetAndTheOthersItsContext) {
  auto points = PointsOf({Row("a", 2, 10, 0.1), Row("b", 3, 20, 0.2)});
  ASSERT_EQ(points.size(), 2u);
  EXPECT_EQ(points[0].target.application, 0u);
  EXPECT_EQ(points[0].target.instances, 2);
  ASSERT_EQ(points[0].context.size(), 1u);
  EXPECT_EQ(points[0].context[0].application, 1u);
  EXPECT_EQ(points[0].context[0].instances, 3);
  EXPECT_EQ(points[0].context[0].rate, 20);
  EXPECT_EQ(points[0].times[2], 0.1);
  EXPECT_EQ(points[0].counters[0], 1);
  EXPECT_FALSE(points[0].counters[1]);
}

TEST(DeepSetsPoints, TenantsOfAnApplicationAreMergedInEverySubset) {
  auto points = PointsOf(
      {Row("a", 1, 10, 0.1), Row("a", 3, 30, 0.3), Row("b", 1, 5, 0.2)});
  ASSERT_EQ(points.size(), 4u);
  // Both: instances are summed, rates and times averaged.
  EXPECT_EQ(points[2].target.instances, 4);
  EXPECT_EQ(points[2].target.rate, 20);
  EXPECT_DOUBLE_EQ(points[2].times[0], 0.2);
  ASSERT_EQ(points[2].context.size(), 1u);
  // One: the other is context of its own application.
  EXPECT_EQ(points[0].context.size(), 2u);
}

TEST(DeepSetsPoints, ServicesAloneAndWithoutAnswersAreLeftOut) {
  EXPECT_TRUE(PointsOf({Row("a", 2, 10, 0.1)}).empty());
  MixObservation silent = Row("b", 1, 5, 0.2);
  silent.service = {};
  EXPECT_EQ(PointsOf({Row("a", 2, 10, 0.1), silent}).size(), 1u);
}

TEST(DeepSetsPoints, AbsentTargetsHaveNoTimeAndHardlyAnInstance) {
  std::vector<MixObservation> rows;
  for (int i = 0; i < 5; ++i) rows.push_back(Row("a", 1, 10, 0.1));
  rows.push_back(Row("b", 1, 10, 0.1));
  size_t real = PointsOf(rows).size();
  auto points = PointsOf(rows, true);
  EXPECT_GT(points.size(), real);
  EXPECT_LT(points.size(), 2 * real);
  for (size_t i = real; i < points.size(); ++i) {
    EXPECT_EQ(points[i].times[0], 0);
    EXPECT_LT(points[i].target.instances, 0.05);
  }
}

TEST(DeepSetsPoints, ScalesAreTheLargestTimesOfAnApplication) {
  auto points =
      PointsOf({Row("a", 1, 1, 0.1), Row("a", 1, 1, 0.4), Row("b", 1, 1, 0.3)});
  auto scales = LargestTimes(points, 3);
  EXPECT_EQ(scales[0][0], 0.4);
  EXPECT_EQ(scales[1][0], 0.3);
  EXPECT_EQ(scales[2][0], 1);
  EXPECT_EQ(LargestCounters(points)[0], 4);
  EXPECT_EQ(LargestCounters(points)[1], 1);
}

}  // namespace
}  // namespace mete
