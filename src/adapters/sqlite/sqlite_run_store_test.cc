#include "adapters/sqlite/sqlite_run_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <limits>

#include "adapters/sqlite/run_rows.h"
#include "support/file.h"
#include "tests/contracts/run_store_contract.h"

namespace mete {
namespace {

using testing::HasSubstr;

struct SqliteStoreMaker {
  std::unique_ptr<RunStore> Make() {
    auto store = SqliteRunStore::Open(folder.path() / "store.db");
    if (!store.ok()) return nullptr;
    return *std::move(store);
  }
  ScratchFolder folder = *ScratchFolder::Create();
};
INSTANTIATE_TYPED_TEST_SUITE_P(Sqlite, RunStoreContract, SqliteStoreMaker);

class SqliteRunStoreTest : public testing::Test {
 protected:
  static mode_t ReadMode(const std::filesystem::path& path) {
    struct stat status {};
    EXPECT_EQ(stat(path.c_str(), &status), 0) << path;
    return status.st_mode & 0777;
  }

  ScratchFolder folder = *ScratchFolder::Create();
  std::filesystem::path file = folder.path() / "store.db";
};

TEST_F(SqliteRunStoreTest, KeepsEverythingWhenReopened) {
  {
    auto store = SqliteRunStore::Open(file);
    ASSERT_TRUE(store.ok()) << store.error().message();
    ASSERT_TRUE((*store)->SaveDevice(ExampleDevice("d1", "pi")).ok());
    ASSERT_TRUE((*store)->SaveRun(ExampleRun("r1", 0)).ok());
  }
  auto store = SqliteRunStore::Open(file);
  ASSERT_TRUE(store.ok());
  EXPECT_EQ((*store)->FindRun("r1")->network()->samples.size(), 3u);
  EXPECT_TRUE((*store)->CheckIntegrity().ok());
}

TEST_F(SqliteRunStoreTest, IsReadableOnlyByItsOwner) {
  auto deep = folder.path() / "a" / "b" / "store.db";
  auto store = SqliteRunStore::Open(deep);
  ASSERT_TRUE(store.ok()) << store.error().message();
  EXPECT_EQ(ReadMode(folder.path() / "a"), 0700u);
  EXPECT_EQ(ReadMode(folder.path() / "a" / "b"), 0700u);
  EXPECT_EQ(ReadMode(deep), 0600u);
  ASSERT_TRUE((*store)->SaveDevice(ExampleDevice("d1", "pi")).ok());
  EXPECT_EQ(ReadMode(deep.string() + "-wal"), 0600u);
}

TEST_F(SqliteRunStoreTest, UsesAWriteAheadLog) {
  ASSERT_TRUE(SqliteRunStore::Open(file).ok());
  Database database = *Database::Open(file, std::chrono::milliseconds(0));
  EXPECT_EQ(*database.QueryText("PRAGMA journal_mode"), "wal");
}

TEST_F(SqliteRunStoreTest, StartsFromAnEmptyFile) {
  ASSERT_TRUE(WriteFileAtomically(file, "").ok());
  EXPECT_TRUE(SqliteRunStore::Open(file).ok());
}

TEST_F(SqliteRunStoreTest, RejectsAFileThatIsNotADatabase) {
  ASSERT_TRUE(WriteFileAtomically(file, std::string(5000, '#')).ok());
  auto store = SqliteRunStore::Open(file);
  ASSERT_FALSE(store.ok());
  EXPECT_EQ(store.error().code(), ErrorCode::kCorrupt);
  EXPECT_THAT(store.error().message(), HasSubstr("not a SQLite database"));
  EXPECT_EQ(*ReadFile(file), std::string(5000, '#'));
}

TEST_F(SqliteRunStoreTest, ReportsADamagedFile) {
  {
    auto store = SqliteRunStore::Open(file);
    ASSERT_TRUE((*store)->SaveDevice(ExampleDevice("d1", "pi")).ok());
  }
  std::string content = *ReadFile(file);
  ASSERT_GT(content.size(), 8192u);
  // Keeps the header and overwrites every page after it.
  content.replace(4096, std::string::npos, content.size() - 4096, '\x5a');
  ASSERT_TRUE(WriteFileAtomically(file, content).ok());
  auto store = SqliteRunStore::Open(file);
  Status read = store.ok() ? (*store)->SaveRun(ExampleRun("r1", 0))
                           : Status(store.error());
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().code(), ErrorCode::kCorrupt);
  EXPECT_THAT(read.error().message(), HasSubstr("damaged; move it away"));
}

TEST_F(SqliteRunStoreTest, ReportsALockOfAnotherProcess) {
  auto store = SqliteRunStore::Open({.path = file, .patience = {}});
  ASSERT_TRUE(store.ok());
  Database other = *Database::Open(file, std::chrono::milliseconds(0));
  auto writing = Transaction::Begin(other);
  ASSERT_TRUE(writing.ok());
  Status saved = (*store)->SaveDevice(ExampleDevice("d1", "pi"));
  ASSERT_FALSE(saved.ok());
  EXPECT_EQ(saved.error().code(), ErrorCode::kUnavailable);
  // Reading still works meanwhile.
  EXPECT_TRUE((*store)->ListDevices().ok());
}

TEST_F(SqliteRunStoreTest, RejectsAStoreOfANewerMete) {
  ASSERT_TRUE(SqliteRunStore::Open(file).ok());
  ASSERT_TRUE(Database::Open(file, std::chrono::milliseconds(0))
                  ->Execute("PRAGMA user_version = 999")
                  .ok());
  auto store = SqliteRunStore::Open(file);
  ASSERT_FALSE(store.ok());
  EXPECT_EQ(store.error().code(), ErrorCode::kUnsupported);
  EXPECT_THAT(store.error().message(), HasSubstr("version 999"));
}

TEST_F(SqliteRunStoreTest, RejectsAFolderAndAPathThroughAFile) {
  EXPECT_FALSE(SqliteRunStore::Open(folder.path()).ok());
  EXPECT_FALSE(SqliteRunStore::Open(std::filesystem::path()).ok());
  ASSERT_TRUE(WriteFileAtomically(folder.path() / "plain", "x").ok());
  auto store = SqliteRunStore::Open(folder.path() / "plain" / "store.db");
  ASSERT_FALSE(store.ok());
  EXPECT_THAT(store.error().message(), HasSubstr("plain"));
}

TEST_F(SqliteRunStoreTest, KeepsTheStartToTheMicrosecond) {
  auto store = SqliteRunStore::Open(file);
  ASSERT_TRUE((*store)->SaveDevice(ExampleDevice("d1", "pi")).ok());
  mete::Run run = ExampleRun("r1", 0);
  run.started_at += std::chrono::microseconds(123456);
  ASSERT_TRUE((*store)->SaveRun(run).ok());
  EXPECT_EQ((*store)->FindRun("r1")->started_at, run.started_at);
}

TEST_F(SqliteRunStoreTest, NamesAtMostFiveCandidates) {
  auto store = SqliteRunStore::Open(file);
  ASSERT_TRUE((*store)->SaveDevice(ExampleDevice("d1", "pi")).ok());
  for (int i = 0; i < 7; ++i) {
    ASSERT_TRUE((*store)->SaveRun(ExampleRun("r" + std::to_string(i), i)).ok());
  }
  EXPECT_THAT((*store)->FindRun("r").error().message(),
              testing::EndsWith("r0, r1, r2, r3, r4, …"));
}

TEST(RunRows, PackSamplesLeastSignificantByteFirst) {
  const double one = 1.0;  // 0x3ff0000000000000
  std::vector<std::byte> bytes = PackSamples(std::span(&one, 1));
  ASSERT_EQ(bytes.size(), 8u);
  EXPECT_EQ(bytes[0], std::byte{0});
  EXPECT_EQ(bytes[6], std::byte{0xf0});
  EXPECT_EQ(bytes[7], std::byte{0x3f});
}

TEST(RunRows, UnpackWhatWasPacked) {
  const std::vector<double> samples = {0.25, 1e-9,
                                       std::numeric_limits<double>::max()};
  EXPECT_EQ(UnpackSamples(PackSamples(samples)), samples);
  EXPECT_TRUE(UnpackSamples({}).empty());
}

}  // namespace
}  // namespace mete
