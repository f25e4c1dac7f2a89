#include "reference_networks/batches.h"

#include <gmock/gmock.h>

#include <set>

namespace mete {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::SizeIs;

TEST(MakeBatches, TakesEveryWindowOnce) {
  Random random(3);
  std::vector<Batch> batches = MakeBatches(10, 4, &random);
  EXPECT_THAT(batches, ElementsAre(SizeIs(4), SizeIs(4), SizeIs(2)));
  std::set<size_t> all;
  for (const Batch& batch : batches) all.insert(batch.begin(), batch.end());
  EXPECT_THAT(all, SizeIs(10));
  EXPECT_NE(batches[0], (Batch{0, 1, 2, 3}));
}

TEST(MakeBatches, NeverMakesABatchOfASingleWindow) {
  EXPECT_THAT(MakeBatches(9, 4, nullptr),
              ElementsAre(Batch{0, 1, 2, 3}, Batch{4, 5, 6, 7, 8}));
  EXPECT_THAT(MakeBatches(1, 4, nullptr), ElementsAre(Batch{0}));
  EXPECT_THAT(MakeBatches(3, 1, nullptr),
              ElementsAre(Batch{0}, Batch{1}, Batch{2}));
}

TEST(Prepare, NormalizesTheChosenWindows) {
  LabelledWindows windows;
  windows.Add(std::vector<float>(kWindow, 5), 1);
  std::vector<float> ramp(kWindow);
  ramp[7] = 4;
  windows.Add(ramp, 2);
  PreparedBatch prepared;
  Prepare(windows, Batch{1}, Normalisation::kZeroOne, nullptr, prepared);
  Prepare(windows, Batch{1, 0}, Normalisation::kZeroOne, nullptr, prepared);
  EXPECT_THAT(prepared.labels, ElementsAre(2, 1));
  ASSERT_THAT(prepared.samples, SizeIs(2 * kWindow));
  EXPECT_EQ(prepared.samples[7], 1);
  EXPECT_THAT(std::span(prepared.samples).last(kWindow), Each(0.0F));
}

}  // namespace
}  // namespace mete
