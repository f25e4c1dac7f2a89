#include "contention/measured_mixes.h"

#include <gtest/gtest.h>

#include <set>

namespace mete {
namespace {

MixObservation RowOf(const std::string& mix, MixKind kind,
                     const std::string& application, double mean) {
  MixObservation row{.mix = mix,
                     .kind = kind,
                     .tenant = {.application = application, .rate = 1}};
  row.service.mean = mean;
  return row;
}

std::vector<MeasuredMix> TenRandomMixes() {
  std::vector<MixObservation> rows{RowOf("b", MixKind::kBaseline, "a", 1),
                                   RowOf("p", MixKind::kPairwise, "a", 1)};
  for (int i = 0; i < 10; ++i) {
    rows.push_back(RowOf("r" + std::to_string(i), MixKind::kRandom, "a", 1));
  }
  return GroupByMix(rows);
}

TEST(MeasuredMixes, RowsOfAMixFollowOneAnother) {
  std::vector<MixObservation> rows{RowOf("x", MixKind::kRandom, "a", 1),
                                   RowOf("x", MixKind::kRandom, "b", 1),
                                   RowOf("y", MixKind::kRandom, "a", 1)};
  auto mixes = GroupByMix(rows);
  ASSERT_EQ(mixes.size(), 2u);
  EXPECT_EQ(mixes[0].Tenants().size(), 2u);
  EXPECT_EQ(ApplicationsIn(mixes), (std::vector<std::string>{"a", "b"}));
}

TEST(MeasuredMixes, RowsWithoutLoadAreLeftOut) {
  std::vector<MixObservation> rows{RowOf("x", MixKind::kRandom, "a", 1)};
  rows[0].tenant.rate = 0;
  EXPECT_TRUE(GroupByMix(rows).empty());
}

TEST(MeasuredMixes, TimesAloneAreMediansOfStableBaselines) {
  std::vector<MixObservation> rows{RowOf("1", MixKind::kBaseline, "a", 1),
                                   RowOf("2", MixKind::kBaseline, "a", 2),
                                   RowOf("3", MixKind::kBaseline, "a", 3),
                                   RowOf("4", MixKind::kBaseline, "a", 90),
                                   RowOf("5", MixKind::kRandom, "a", 0.5),
                                   RowOf("6", MixKind::kRandom, "b", 7),
                                   RowOf("7", MixKind::kRandom, "b", 6)};
  rows[3].saturated = true;
  auto alone = FindTimesAlone(GroupByMix(rows));
  EXPECT_EQ(alone["a"][0], 2);
  EXPECT_EQ(alone["b"][0], 6);  // the smallest without a baseline
  EXPECT_FALSE(alone["a"][1]);
}

TEST(MeasuredMixes, OnlyRandomAndActiveMixesAreHeldOut) {
  auto mixes = TenRandomMixes();
  MixSplit split = HoldOut(mixes, {.share = 0.3, .seed = 1});
  EXPECT_EQ(split.test.size(), 3u);
  EXPECT_EQ(split.train.size(), 9u);
  for (const MeasuredMix& mix : split.test) {
    EXPECT_EQ(mix.kind(), MixKind::kRandom);
  }
  EXPECT_EQ(HoldOut(mixes, {.share = 1}).test.size(), 9u);
  EXPECT_EQ(HoldOut(mixes, {.share = 0}).test.size(), 1u);
}

TEST(MeasuredMixes, EveryFreeMixIsTestedOnce) {
  std::multiset<std::string> tested;
  auto folds = MixFolds(TenRandomMixes(), {.folds = 4});
  EXPECT_EQ(folds.size(), 4u);
  for (const MixSplit& fold : folds) {
    EXPECT_EQ(fold.train.size() + fold.test.size(), 12u);
    for (const MeasuredMix& mix : fold.test) tested.insert(mix.id());
  }
  EXPECT_EQ(tested.size(), 10u);
  EXPECT_EQ(std::set<std::string>(tested.begin(), tested.end()).size(), 10u);
}

TEST(MeasuredMixes, ATimeThatIsNotPositiveIsAbsent) {
  MixObservation row = RowOf("x", MixKind::kRandom, "a", 0);
  EXPECT_FALSE(MeasuredTime(row, {}));
  row.service.mean = 0.5;
  EXPECT_EQ(MeasuredTime(row, {}), 0.5);
  EXPECT_FALSE(MeasuredTime(row, {.kind = TimeKind::kSojourn}));
}

}  // namespace
}  // namespace mete
