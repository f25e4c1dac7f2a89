#include "reference_networks/windows.h"

#include <gmock/gmock.h>

#include <set>

namespace mete {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

TEST(SplitClass, SharesNoWindowInTheOrderedSplit) {
  ClassSplit split = SplitClass(102, 0, SplitRule::kOrdered, 1);
  ASSERT_THAT(split.training, SizeIs(81));
  EXPECT_EQ(split.training.back(), 80u);
  EXPECT_EQ(split.validation.front(), 81u);
  EXPECT_THAT(split.validation, SizeIs(21));
}

// The Edge Benchmarking Framework splits 102 windows of a class into 82 and 21.
TEST(SplitClass, SharesOneWindowInTheLegacySplit) {
  ClassSplit split = SplitClass(102, 0, SplitRule::kOrderedLegacy, 1);
  EXPECT_THAT(split.training, SizeIs(82));
  EXPECT_THAT(split.validation, SizeIs(21));
  EXPECT_EQ(split.training.back(), split.validation.front());
}

TEST(SplitClass, TakesEveryWindowOnceInTheRandomSplitAndDependsOnItsSeed) {
  ClassSplit split = SplitClass(100, 3, SplitRule::kRandom, 7);
  EXPECT_THAT(split.training, SizeIs(80));
  std::set<size_t> all(split.training.begin(), split.training.end());
  all.insert(split.validation.begin(), split.validation.end());
  EXPECT_THAT(all, SizeIs(100));
  EXPECT_EQ(SplitClass(100, 3, SplitRule::kRandomPlain, 7).training,
            split.training);
  EXPECT_NE(SplitClass(100, 3, SplitRule::kRandom, 8).training, split.training);
}

TEST(SplitClass, HandlesFewWindows) {
  EXPECT_THAT(SplitClass(0, 0, SplitRule::kOrderedLegacy, 1).training,
              SizeIs(0));
  EXPECT_THAT(SplitClass(1, 0, SplitRule::kOrdered, 1).validation,
              ElementsAre(0));
}

TEST(CutInto, DropsTheTailAndLabels) {
  std::vector<float> signal(kWindow * 5 + 17);
  signal[kWindow * 4] = 9;
  SplitWindows windows;
  CutInto(windows, {.signal = signal, .label = 6});
  EXPECT_THAT(windows.training, SizeIs(4));
  ASSERT_THAT(windows.validation, SizeIs(1));
  EXPECT_EQ(windows.validation.at(0)[0], 9);
  EXPECT_THAT(windows.validation.labels, ElementsAre(6));

  SplitWindows sparing;
  CutInto(sparing, {.signal = signal, .keep_training = false});
  EXPECT_THAT(sparing.training, SizeIs(0));
  EXPECT_THAT(sparing.validation, SizeIs(1));
}

}  // namespace
}  // namespace mete
