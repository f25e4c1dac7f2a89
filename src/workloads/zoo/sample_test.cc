#include "zoo/sample.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "zoo/zoo.h"

namespace mete {
namespace {

// Ten samples of each of the 13 kinds, drawn once.
class ManySamples : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    for (size_t i = 0; i < 130; ++i) samples_.push_back(DrawSample(7, i));
  }
  static void TearDownTestSuite() { samples_.clear(); }

  static size_t CountBetween(double low, double high) {
    return static_cast<size_t>(
        std::ranges::count_if(samples_, [&](const Sample& sample) {
          double macs = static_cast<double>(sample.macs);
          return macs >= low && macs < high;
        }));
  }

  inline static std::vector<Sample> samples_;
};

TEST(Sample, IsNamedByIndexAndKind) {
  EXPECT_EQ(SampleDraft(0, 4).graph.name, "sample-0004-inverted");
}

TEST(Sample, KindsAlternate) {
  const std::vector<std::string> kinds = SampleKinds();
  ASSERT_EQ(kinds.size(), 13u);
  for (size_t i = 0; i < 26; ++i)
    EXPECT_EQ(DrawSample(0, i).kind, kinds[i % 13]);
}

bool Same(const NetworkDraft& a, const NetworkDraft& b) {
  auto sizes = [](const Constant& c) { return c.sizes; };
  return a.graph.nodes.size() == b.graph.nodes.size() &&
         std::ranges::equal(a.graph.constants, b.graph.constants, {}, sizes,
                            sizes) &&
         a.seed == b.seed;
}

TEST(Sample, IsTheSameForTheSameSeedAndIndex) {
  for (size_t i = 0; i < 13; ++i)
    EXPECT_TRUE(Same(SampleDraft(5, i), SampleDraft(5, i))) << i;
}

TEST(Sample, DiffersBySeedAndByIndex) {
  EXPECT_FALSE(Same(SampleDraft(5, 0), SampleDraft(6, 0)));
  EXPECT_FALSE(Same(SampleDraft(5, 0), SampleDraft(5, 13)));
}

TEST_F(ManySamples, WorkStaysWithinItsBounds) {
  EXPECT_EQ(CountBetween(3e4, 3.3e9), samples_.size());
}

TEST_F(ManySamples, WorkCoversAllMagnitudes) {
  for (double low : {1e5, 1e6, 1e7, 1e8})
    EXPECT_GE(CountBetween(low, 10 * low), 15u) << low;
  EXPECT_GE(CountBetween(1e9, 1e10), 3u);
}

TEST_F(ManySamples, WeightsStayBelowTheirBound) {
  for (const Sample& sample : samples_)
    EXPECT_LE(TrainableParameters(sample.draft), 30'000'000u);
}

}  // namespace
}  // namespace mete
