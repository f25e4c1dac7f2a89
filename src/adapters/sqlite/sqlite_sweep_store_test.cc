#include "adapters/sqlite/sqlite_sweep_store.h"

#include <gtest/gtest.h>

#include "support/file.h"
#include "tests/contracts/sweep_store_contract.h"

namespace mete {
namespace {

struct SqliteSweepStoreMaker {
  std::unique_ptr<SweepStore> Make() {
    auto store = SqliteSweepStore::Open({.path = folder.path() / "store.db"});
    return store.ok() ? *std::move(store) : nullptr;
  }
  ScratchFolder folder = *ScratchFolder::Create();
};
INSTANTIATE_TYPED_TEST_SUITE_P(Sqlite, SweepStoreContract,
                               SqliteSweepStoreMaker);

TEST(SqliteSweepStoreTest, AnotherConnectionSeesASweepGrow) {
  ScratchFolder folder = *ScratchFolder::Create();
  auto open = [&folder] {
    return SqliteSweepStore::Open({.path = folder.path() / "store.db"}).value();
  };
  Sweep sweep = ExampleSweep("s1");
  ASSERT_TRUE(open()->SaveSweep(sweep).ok());
  auto reader = open();
  EXPECT_EQ(reader->FindSweep("s1")->points.size(), 0u);
  sweep.points.push_back({.run_id = "r1", .started_at = sweep.started_at});
  ASSERT_TRUE(open()->SaveSweep(sweep).ok());
  EXPECT_EQ(reader->FindSweep("s1")->points.size(), 1u);
}

}  // namespace
}  // namespace mete
