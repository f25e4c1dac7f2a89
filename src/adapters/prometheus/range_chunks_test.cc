#include "adapters/prometheus/range_chunks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mete {
namespace {

using std::chrono::seconds;
using testing::ElementsAre;

WallTime At(int time) { return WallTime(seconds(time)); }

HistorySeries Series(const std::string& pod, std::vector<int> times) {
  HistorySeries series{.labels = {{"pod", pod}}};
  for (int time : times) {
    series.times.push_back(At(time));
    series.values.push_back(time);
  }
  return series;
}

TEST(RangeChunks, AsksForEveryPointOnce) {
  RangeChunks chunks({.promql = "up", .from = At(100), .to = At(110)},
                     {.points = 4, .first_points = 3});
  std::vector<std::pair<WallTime, WallTime>> asked;
  while (auto next = chunks.Next()) {
    asked.emplace_back(next->from, next->to);
    EXPECT_EQ(next->promql, "up");
    ASSERT_TRUE(chunks.Add({}).ok());
  }
  EXPECT_THAT(asked, ElementsAre(std::pair(At(100), At(102)),
                                 std::pair(At(103), At(106)),
                                 std::pair(At(107), At(110))));
}

TEST(RangeChunks, AsksForFewerPointsOfManySeries) {
  RangeChunks chunks({.from = At(0), .to = At(99)},
                     {.points = 50, .samples = 20, .first_points = 2});
  ASSERT_TRUE(chunks.Next());
  ASSERT_TRUE(chunks.Add({Series("a", {0}), Series("b", {0})}).ok());
  auto next = chunks.Next();
  ASSERT_TRUE(next);
  EXPECT_EQ(next->to - next->from, seconds(9));
}

TEST(RangeChunks, JoinsSeriesByTheirLabels) {
  RangeChunks chunks({.from = At(0), .to = At(5)}, {.first_points = 2});
  ASSERT_TRUE(chunks.Add({Series("a", {0, 1}), Series("b", {0})}).ok());
  ASSERT_TRUE(chunks.Add({Series("c", {2}), Series("a", {3})}).ok());
  HistorySet joined = std::move(chunks).Take();
  ASSERT_EQ(joined.size(), 3u);
  EXPECT_THAT(joined[0].values, ElementsAre(0, 1, 3));
  EXPECT_THAT(joined[1].values, ElementsAre(0));
  EXPECT_EQ(joined[2].Label("pod"), "c");
}

TEST(RangeChunks, RefusesLabelsWithoutEnd) {
  RangeChunks chunks({.from = At(0), .to = At(9)},
                     {.first_points = 1, .series = 2});
  ASSERT_TRUE(chunks.Add({Series("a", {0}), Series("b", {0})}).ok());
  ASSERT_TRUE(chunks.Add({Series("b", {1}), Series("a", {1})}).ok());
  EXPECT_EQ(chunks.Add({Series("c", {2})}).error().code(), ErrorCode::kCorrupt);
  RangeChunks first({.from = At(0), .to = At(9)}, {.series = 0});
  EXPECT_FALSE(first.Add({Series("a", {0})}).ok());
}

TEST(RangeChunks, AnEmptyRangeNeedsNoRequest) {
  EXPECT_FALSE(RangeChunks({.from = At(1), .to = At(0)}, {}).Next());
  auto one = RangeChunks({.from = At(1), .to = At(1)}, {}).Next();
  ASSERT_TRUE(one);
  EXPECT_EQ(one->to, At(1));
}

}  // namespace
}  // namespace mete
