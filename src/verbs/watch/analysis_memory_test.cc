#include "watch/analysis_memory.h"

#include <gtest/gtest.h>

namespace mete {
namespace {

SeriesByName Cpu(double a, double b) {
  return {{"cpu", {.times = {1, 2}, .values = {a, b}}}};
}

class AnalysisMemoryTest : public testing::Test {
 protected:
  void SetUp() override { memory_.Put("pod a", Cpu(1, 3), 1000, nullptr); }
  bool Knows(const SeriesByName& series, double now) const {
    auto found = memory_.Find("pod a", series, now, {.age = Seconds(600)});
    return found && !found->due;
  }
  AnalysisMemory memory_;
};

TEST_F(AnalysisMemoryTest, UsesAnAnalysisWhileLevelsStay) {
  EXPECT_TRUE(Knows(Cpu(1.1, 3.1), 1200));
  EXPECT_FALSE(Knows(Cpu(1, 4), 1200)) << "another maximum";
  EXPECT_FALSE(Knows(Cpu(2.5, 3), 1200)) << "another mean";
  EXPECT_FALSE(Knows({}, 1200));
  EXPECT_FALSE(Knows({{"memory", Cpu(1, 3).at("cpu")}}, 1200));
  EXPECT_FALSE(memory_.Find("pod b", Cpu(1, 3), 1200, {}).has_value());
}

TEST_F(AnalysisMemoryTest, RepeatsAnOldAnalysis) {
  EXPECT_TRUE(Knows(Cpu(1, 3), 1299));
  EXPECT_FALSE(Knows(Cpu(1, 3), 1601));
}

TEST_F(AnalysisMemoryTest, ReturnsWhatIsDueWithItsAge) {
  auto due = memory_.Find("pod a", Cpu(2, 4), 1200, {});
  ASSERT_TRUE(due.has_value());
  EXPECT_TRUE(due->due);
  EXPECT_EQ(due->analyzed_at, 1000);
}

TEST_F(AnalysisMemoryTest, ForgetsWhatIsNotLookedUp) {
  memory_.Sweep();
  EXPECT_TRUE(Knows(Cpu(1, 3), 1001));
  memory_.Sweep();
  EXPECT_TRUE(Knows(Cpu(1, 3), 1001));
  memory_.Sweep();
  memory_.Sweep();
  EXPECT_FALSE(Knows(Cpu(1, 3), 1001));
}

}  // namespace
}  // namespace mete
