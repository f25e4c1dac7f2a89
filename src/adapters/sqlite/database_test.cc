#include "adapters/sqlite/database.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include "support/file.h"

namespace mete {
namespace {

using testing::HasSubstr;

class DatabaseTest : public testing::Test {
 protected:
  Result<Database> Open() {
    return Database::Open(file, std::chrono::milliseconds(0));
  }

  ScratchFolder folder = *ScratchFolder::Create();
  std::filesystem::path file = folder.path() / "test.db";
};

TEST_F(DatabaseTest, BindsInOrderAndReadsBack) {
  Database database = *Open();
  auto select = database.Prepare("SELECT ?, ?, ? IS NULL, ?");
  ASSERT_TRUE(select.ok());
  const std::vector<std::byte> bytes = {std::byte{7}, std::byte{0}};
  select->Bind("text")
      .Bind(int64_t{5})
      .Bind(std::optional<double>())
      .Bind(std::span<const std::byte>(bytes));
  ASSERT_TRUE(*select->Step());
  EXPECT_EQ(select->Text(0), "text");
  EXPECT_EQ(select->Integer(1), 5);
  EXPECT_EQ(select->Integer(2), 1);
  EXPECT_THAT(select->Blob(3), testing::ElementsAreArray(bytes));
  EXPECT_FALSE(*select->Step());
}

TEST_F(DatabaseTest, ReportsABindingTooMany) {
  Database database = *Open();
  auto select = database.Prepare("SELECT ?");
  select->Bind("one").Bind("two");
  EXPECT_FALSE(select->Step().ok());
}

TEST_F(DatabaseTest, RollsBackATransactionThatWasNotCommitted) {
  Database database = *Open();
  ASSERT_TRUE(database.Execute("CREATE TABLE t (x)").ok());
  {
    auto transaction = Transaction::Begin(database);
    ASSERT_TRUE(transaction.ok());
    ASSERT_TRUE(database.Execute("INSERT INTO t VALUES (1)").ok());
  }
  EXPECT_EQ(*database.QueryText("SELECT count(*) FROM t"), "0");
}

TEST_F(DatabaseTest, KeepsATransactionThatWasCommitted) {
  Database database = *Open();
  ASSERT_TRUE(database.Execute("CREATE TABLE t (x)").ok());
  {
    auto transaction = Transaction::Begin(database);
    ASSERT_TRUE(database.Execute("INSERT INTO t VALUES (1)").ok());
    ASSERT_TRUE(transaction->Commit().ok());
  }
  EXPECT_EQ(*database.QueryText("SELECT count(*) FROM t"), "1");
}

TEST_F(DatabaseTest, ReportsALockOfAnotherConnection) {
  Database one = *Open();
  Database two = *Open();
  auto held = Transaction::Begin(one);
  ASSERT_TRUE(held.ok());
  auto refused = Transaction::Begin(two);
  ASSERT_FALSE(refused.ok());
  EXPECT_TRUE(two.Busy());
  EXPECT_EQ(refused.error().code(), ErrorCode::kUnavailable);
  EXPECT_THAT(refused.error().message(), HasSubstr(file.string()));
  EXPECT_THAT(refused.error().message(),
              HasSubstr("locked by another process"));
}

TEST_F(DatabaseTest, ReportsAFullDisk) {
  Database database = *Open();
  ASSERT_TRUE(database.Execute("CREATE TABLE t (x)").ok());
  // SQLite reports a page limit like a full disk.
  ASSERT_TRUE(database.Execute("PRAGMA max_page_count = 1").ok());
  Status full = database.Execute("INSERT INTO t VALUES (zeroblob(1000000))");
  ASSERT_FALSE(full.ok());
  EXPECT_THAT(full.error().message(), HasSubstr("disk full; free some space"));
}

TEST_F(DatabaseTest, ReportsAReadOnlyFile) {
  Database database = *Open();
  ASSERT_TRUE(database.Execute("CREATE TABLE t (x)").ok());
  // Permissions do not stop root; this does, with the same error.
  ASSERT_TRUE(database.Execute("PRAGMA query_only = ON").ok());
  Status refused = database.Execute("INSERT INTO t VALUES (1)");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code(), ErrorCode::kPermissionDenied);
  EXPECT_THAT(refused.error().message(), HasSubstr("read-only"));
}

TEST_F(DatabaseTest, ReportsAFileThatIsNotADatabase) {
  ASSERT_TRUE(WriteFileAtomically(file, std::string(4096, 'x')).ok());
  Database database = *Open();
  auto answer = database.QueryText("SELECT count(*) FROM sqlite_schema");
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().code(), ErrorCode::kCorrupt);
  EXPECT_THAT(answer.error().message(), HasSubstr("not a SQLite database"));
}

TEST_F(DatabaseTest, EveryMessageIsOneLineAndNamesTheFile) {
  for (int code : {SQLITE_NOTADB, SQLITE_CORRUPT, SQLITE_READONLY_DBMOVED,
                   SQLITE_PERM, SQLITE_CANTOPEN_ISDIR, SQLITE_BUSY_SNAPSHOT,
                   SQLITE_FULL, SQLITE_IOERR_FSYNC, SQLITE_NOMEM}) {
    std::string message = DatabaseError(code, "/x/s.db", "why").message();
    EXPECT_THAT(message, testing::StartsWith("store /x/s.db: "));
    EXPECT_EQ(message.find('\n'), std::string::npos);
  }
}

}  // namespace
}  // namespace mete
