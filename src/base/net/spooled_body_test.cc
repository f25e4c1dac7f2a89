#include "net/spooled_body.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>

#include "support/file.h"

namespace mete {
namespace {

TEST(SpooledBody, HoldsWhatWasAppended) {
  ScratchFolder folder = *ScratchFolder::Create();
  auto body = SpooledBody::Create(folder.path() / "new");
  ASSERT_TRUE(body.ok()) << body.error().message();
  ASSERT_TRUE(body->Append("one ").ok());
  ASSERT_TRUE(body->Append("two").ok());
  EXPECT_EQ(body->size(), 7u);
  ASSERT_TRUE(body->Finish().ok());
  SpooledBody moved = *std::move(body);
  EXPECT_EQ(moved.Content(), "one two");
}

// It also holds what is kept of uploads.
TEST(SpooledBody, MakesItsFolderForItsOwnerOnly) {
  ScratchFolder folder = *ScratchFolder::Create();
  const auto inner = folder.path() / "new";
  ASSERT_TRUE(SpooledBody::Create(inner).ok());
  EXPECT_EQ(std::filesystem::status(inner).permissions(),
            std::filesystem::perms::owner_all);
}

TEST(SpooledBody, LeavesNoName) {
  ScratchFolder folder = *ScratchFolder::Create();
  auto body = SpooledBody::Create(folder.path());
  ASSERT_TRUE(body.ok());
  ASSERT_TRUE(body->Append("x").ok());
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(SpooledBody, MayBeEmpty) {
  ScratchFolder folder = *ScratchFolder::Create();
  auto body = SpooledBody::Create(folder.path());
  ASSERT_TRUE(body.ok());
  ASSERT_TRUE(body->Finish().ok());
  EXPECT_EQ(body->Content(), "");
}

TEST(SpooledBody, FailsWhereNoFolderCanBeMade) {
  ScratchFolder folder = *ScratchFolder::Create();
  std::filesystem::path file = folder.path() / "file";
  std::ofstream(file) << "x";
  EXPECT_FALSE(SpooledBody::Create(file / "below").ok());
}

TEST(SpooledBody, FailsWithoutADescriptor) {
  ScratchFolder folder = *ScratchFolder::Create();
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  rlimit none = before;
  none.rlim_cur = static_cast<rlim_t>(Descriptor(dup(STDERR_FILENO)).number());
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
  auto body = SpooledBody::Create(folder.path());
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
  ASSERT_FALSE(body.ok());
  EXPECT_TRUE(body.error().message().starts_with("write to "))
      << body.error().message();
}

}  // namespace
}  // namespace mete
