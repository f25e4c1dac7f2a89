#include "adapters/sqlite/migrations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "support/file.h"

namespace mete {
namespace {

using testing::HasSubstr;

constexpr std::array<std::string_view, 2> kTwo = {
    "CREATE TABLE a (x INTEGER) STRICT; INSERT INTO a VALUES (7);",
    "CREATE TABLE b (x INTEGER) STRICT;"};

class Migrations : public testing::Test {
 protected:
  std::string Version() { return *database.QueryText("PRAGMA user_version"); }
  std::string Tables() {
    return *database.QueryText(
        "SELECT coalesce(group_concat(name), '') FROM sqlite_schema");
  }

  ScratchFolder folder = *ScratchFolder::Create();
  std::filesystem::path file = folder.path() / "test.db";
  Database database = *Database::Open(file, std::chrono::milliseconds(0));
};

TEST_F(Migrations, BringAnEmptyFileToTheNewestVersion) {
  ASSERT_TRUE(Migrate(database, kTwo).ok());
  EXPECT_EQ(Version(), "2");
  EXPECT_EQ(Tables(), "a,b");
}

TEST_F(Migrations, DoOnlyWhatIsMissing) {
  ASSERT_TRUE(Migrate(database, std::span(kTwo).first(1)).ok());
  EXPECT_EQ(Version(), "1");
  ASSERT_TRUE(Migrate(database, kTwo).ok());
  EXPECT_EQ(Version(), "2");
  EXPECT_EQ(*database.QueryText("SELECT group_concat(x) FROM a"), "7");
}

TEST_F(Migrations, DoNotChangeACurrentStore) {
  ASSERT_TRUE(Migrate(database, kTwo).ok());
  EXPECT_TRUE(Migrate(database, kTwo).ok());
  EXPECT_EQ(*database.QueryText("SELECT group_concat(x) FROM a"), "7");
}

TEST_F(Migrations, NeedNoLockWhenThereIsNothingToDo) {
  ASSERT_TRUE(Migrate(database, kTwo).ok());
  Database other = *Database::Open(file, std::chrono::milliseconds(0));
  auto writing = Transaction::Begin(other);
  ASSERT_TRUE(writing.ok());
  EXPECT_TRUE(Migrate(database, kTwo).ok());
}

TEST_F(Migrations, LeaveNoHalfStepBehind) {
  constexpr std::array<std::string_view, 1> kBroken = {
      "CREATE TABLE a (x INTEGER) STRICT; CREATE TABLE nonsense;"};
  EXPECT_FALSE(Migrate(database, kBroken).ok());
  EXPECT_EQ(Version(), "0");
  EXPECT_EQ(Tables(), "");
}

TEST_F(Migrations, RejectAStoreOfANewerMete) {
  ASSERT_TRUE(Migrate(database, kTwo).ok());
  Status older = Migrate(database, std::span(kTwo).first(1));
  ASSERT_FALSE(older.ok());
  EXPECT_EQ(older.error().code(), ErrorCode::kUnsupported);
  EXPECT_THAT(
      older.error().message(),
      HasSubstr("version 2 was written by a newer mete, this one supports "
                "up to 1"));
  EXPECT_EQ(Tables(), "a,b");
}

TEST_F(Migrations, RejectTheDatabaseOfAnotherProgram) {
  ASSERT_TRUE(database.Execute("CREATE TABLE bookmarks (url)").ok());
  Status refused = Migrate(database, kTwo);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code(), ErrorCode::kInvalidInput);
  EXPECT_THAT(refused.error().message(), HasSubstr("another program"));
  EXPECT_EQ(Tables(), "bookmarks");
}

}  // namespace
}  // namespace mete
