#include "adapters/sqlite/sqlite_stores.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/file.h"
#include "tests/contracts/job_store_contract.h"
#include "tests/contracts/run_store_contract.h"
#include "tests/contracts/sweep_store_contract.h"

namespace mete {
namespace {

struct SqliteStoresTest : testing::Test {
  ScratchFolder folder = *ScratchFolder::Create();
  std::filesystem::path file = folder.path() / "below" / "store.db";
  Stores stores = OpenSqliteStores("sqlite:" + file.string()).value();
};

TEST_F(SqliteStoresTest, CreatesTheFileWhenTheFirstStoreIsOpened) {
  EXPECT_FALSE(std::filesystem::exists(file));
  ASSERT_TRUE(stores.open_runs().ok());
  EXPECT_TRUE(std::filesystem::exists(file));
}

TEST_F(SqliteStoresTest, OpensEveryStoreByItself) {
  auto runs = stores.open_runs();
  ASSERT_TRUE(runs.ok()) << runs.error().message();
  EXPECT_TRUE((*runs)->SaveDevice(ExampleDevice("d1", "pi")).ok());
  auto jobs = stores.open_jobs();
  ASSERT_TRUE(jobs.ok()) << jobs.error().message();
  EXPECT_TRUE((*jobs)->SubmitJob(ExampleJob("j1")).ok());
  auto sweeps = stores.open_sweeps();
  ASSERT_TRUE(sweeps.ok()) << sweeps.error().message();
  EXPECT_TRUE((*sweeps)->SaveSweep(ExampleSweep("s1")).ok());
}

TEST_F(SqliteStoresTest, EachCallOpensANewConnection) {
  auto first = stores.open_runs();
  auto second = stores.open_runs();
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_NE(first->get(), second->get());
  ASSERT_TRUE((*first)->SaveDevice(ExampleDevice("d1", "pi")).ok());
  first->reset();
  EXPECT_EQ((*second)->FindDevice("pi")->id, "d1");
}

TEST_F(SqliteStoresTest, AStoreOutlivesTheStoresItCameFrom) {
  auto jobs = stores.open_jobs();
  ASSERT_TRUE(jobs.ok());
  stores = Stores{};
  EXPECT_TRUE((*jobs)->SubmitJob(ExampleJob("j1")).ok());
}

TEST_F(SqliteStoresTest, FailsToOpenAFileThatIsNotADatabase) {
  std::filesystem::create_directories(file.parent_path());
  ASSERT_TRUE(WriteFileAtomically(file, "no database").ok());
  EXPECT_EQ(stores.open_runs().error().code(), ErrorCode::kCorrupt);
  EXPECT_EQ(stores.open_jobs().error().code(), ErrorCode::kCorrupt);
  EXPECT_EQ(stores.open_sweeps().error().code(), ErrorCode::kCorrupt);
}

TEST(OpenSqliteStores, RejectsAUrlWithoutSchemeOrPath) {
  for (const char* url : {"", "sqlite:", "/path/mete.db", "postgres://h/d"}) {
    auto stores = OpenSqliteStores(url);
    ASSERT_FALSE(stores.ok()) << url;
    EXPECT_EQ(stores.error().code(), ErrorCode::kInvalidInput);
    EXPECT_THAT(stores.error().message(),
                testing::HasSubstr("write it like sqlite:/path/mete.db"));
  }
}

}  // namespace
}  // namespace mete
