#include "support/capped_log.h"

#include <gtest/gtest.h>

#include "support/file.h"

namespace mete {
namespace {

TEST(CappedLog, KeepsTheNewestTextWithinItsCap) {
  auto folder = ScratchFolder::Create();
  ASSERT_TRUE(folder.ok());
  auto file = folder->path() / "app.log";
  auto log = CappedLog::Open(file, Bytes{8});
  ASSERT_TRUE(log.ok());
  log->Write("0123456789");
  EXPECT_TRUE(log->rotated());
  EXPECT_EQ(*ReadFile(file), "89");
  EXPECT_EQ(*ReadFile(file.string() + ".1"), "4567");
}

TEST(CappedLog, KeepsAShortTextWhole) {
  auto folder = ScratchFolder::Create();
  ASSERT_TRUE(folder.ok());
  auto file = folder->path() / "app.log";
  auto log = CappedLog::Open(file, Bytes{64});
  ASSERT_TRUE(log.ok());
  log->Write("one\n");
  log->Write("two\n");
  EXPECT_FALSE(log->rotated());
  EXPECT_EQ(*ReadFile(file), "one\ntwo\n");
}

TEST(CappedLog, ReportsWhyItCannotBeWritten) {
  auto log = CappedLog::Open("/nowhere/app.log", Bytes{64});
  ASSERT_FALSE(log.ok());
  EXPECT_EQ(log.error().code(), ErrorCode::kNotFound);
}

}  // namespace
}  // namespace mete
