#include "devices/cached_nodes.h"

#include <gtest/gtest.h>

#include <atomic>

#include "tests/fakes/fake_clock.h"

namespace mete {
namespace {

using std::chrono::seconds;

std::shared_ptr<const NodeSnapshot> One(const std::string& name) {
  auto snapshot = std::make_shared<NodeSnapshot>();
  snapshot->nodes.push_back({.name = name});
  return snapshot;
}

class NodeCacheTest : public testing::Test {
 protected:
  FakeClock clock_;
  NodeCache cache_{{.ttl = seconds(5), .keep = seconds(60)}, clock_};
};

TEST_F(NodeCacheTest, ReturnsTheLastAnswer) {
  cache_.Take(One("old"));
  cache_.Take(One("new"));
  auto given = cache_.Give();
  ASSERT_TRUE(given.ok());
  EXPECT_EQ((*given)->nodes[0].name, "new");
  EXPECT_FALSE((*given)->stale.has_value());
}

TEST_F(NodeCacheTest, ReportsWhetherThereWasAnAnswer) {
  EXPECT_FALSE(cache_.Answered());
  cache_.Take(Unavailable("refused"));
  EXPECT_TRUE(cache_.Answered());
  cache_.Take(One("a"));
  EXPECT_TRUE(cache_.Answered());
}

TEST_F(NodeCacheTest, MarksTheAnswerStaleOnFailureAndDropsItAfterAMinute) {
  cache_.Take(One("a"));
  clock_.Advance(seconds(5));
  cache_.Take(Unavailable("connect: refused"));
  EXPECT_EQ((*cache_.Give())->stale, "connect: refused");
  clock_.Advance(seconds(54));
  EXPECT_EQ((*cache_.Give())->nodes[0].name, "a");
  clock_.Advance(seconds(2));
  EXPECT_EQ(cache_.Give().error().message(), "connect: refused");
}

TEST_F(NodeCacheTest, IsNotStaleAfterTheSourceRecovers) {
  cache_.Take(One("a"));
  cache_.Take(Unavailable("gone"));
  cache_.Take(One("b"));
  EXPECT_FALSE((*cache_.Give())->stale.has_value());
}

TEST_F(NodeCacheTest, DetectsASourceThatHangs) {
  cache_.Take(One("a"));
  clock_.Advance(seconds(20));
  EXPECT_EQ((*cache_.Give())->stale, "no answer for 20 s");
}

TEST_F(NodeCacheTest, ReportsAFirstFailureAtOnce) {
  cache_.Take(Unavailable("refused"));
  EXPECT_EQ(cache_.Give().error().code(), ErrorCode::kUnavailable);
}

class CountingSource final : public NodeSource {
 public:
  Result<std::shared_ptr<const NodeSnapshot>> Nodes() override {
    ++asked_;
    return One("a");
  }
  std::atomic<int> asked_ = 0;
};

TEST(CachedNodes, QueriesTheSourceOnceForManyCallers) {
  CountingSource source;
  SystemClock clock;
  CachedNodes nodes(source, {.ttl = seconds(3600)}, clock);
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(nodes.Nodes().ok());
  EXPECT_EQ(source.asked_, 1);
}

}  // namespace
}  // namespace mete
