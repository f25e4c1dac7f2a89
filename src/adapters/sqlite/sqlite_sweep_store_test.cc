#include "adapters/sqlite/sqlite_sweep_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/clock.h"
#include "support/file.h"

namespace mete {
namespace {

using testing::SizeIs;

struct SqliteSweepStoreTest : testing::Test {
  std::unique_ptr<SqliteSweepStore> Open() {
    return SqliteSweepStore::Open({.path = folder.path() / "store.db"}).value();
  }

  static Sweep Make(const std::string& id, bool finished = false) {
    return {.id = id,
            .key = "k",
            .started_at = ParseUtc("2026-05-01T12:30:00Z").value(),
            .workload = "app",
            .plan = {.memory = LimitRange{100, 50, 10}},
            .finished = finished};
  }

  ScratchFolder folder = ScratchFolder::Create().value();
};

TEST_F(SqliteSweepStoreTest, ASweepGrowsAndIsFoundByItsBeginning) {
  Sweep sweep = Make("20260501-abc");
  ASSERT_TRUE(Open()->SaveSweep(sweep).ok());
  sweep.points.push_back({.run_id = "r1", .started_at = sweep.started_at});
  ASSERT_TRUE(Open()->SaveSweep(sweep).ok());
  Sweep found = Open()->FindSweep("20260501").value();
  EXPECT_THAT(found.points, SizeIs(1));
  EXPECT_THAT(Open()->ListSweeps().value(), SizeIs(1));
  EXPECT_EQ(Open()->FindSweep("x").error().code(), ErrorCode::kNotFound);
}

TEST_F(SqliteSweepStoreTest, TheNewestUnfinishedOneOfAKeyGoesOn) {
  auto store = Open();
  ASSERT_TRUE(store->SaveSweep(Make("1")).ok());
  ASSERT_TRUE(store->SaveSweep(Make("2")).ok());
  ASSERT_TRUE(store->SaveSweep(Make("3", true)).ok());
  EXPECT_EQ(store->UnfinishedSweep("k").value()->id, "2");
  EXPECT_FALSE(store->UnfinishedSweep("other").value().has_value());
  ASSERT_TRUE(store->SaveSweep(Make("2", true)).ok());
  EXPECT_EQ(store->UnfinishedSweep("k").value()->id, "1");
}

TEST_F(SqliteSweepStoreTest, ASweepHasAnId) {
  EXPECT_EQ(Open()->SaveSweep(Make("")).error().code(),
            ErrorCode::kInvalidInput);
}

}  // namespace
}  // namespace mete
