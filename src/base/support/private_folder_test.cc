#include "support/private_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/file.h"

namespace mete {
namespace {

using std::filesystem::perms;

TEST(PrivateFolder, IsAccessibleOnlyByItsOwnerIncludingParents) {
  ScratchFolder scratch = *ScratchFolder::Create();
  auto folder = scratch.path() / "above" / "below";
  ASSERT_TRUE(MakePrivateFolder(folder).ok());
  EXPECT_EQ(std::filesystem::status(folder).permissions(), perms::owner_all);
  EXPECT_EQ(std::filesystem::status(folder.parent_path()).permissions(),
            perms::owner_all);
}

TEST(PrivateFolder, DoesNotChangeAnExistingFolder) {
  ScratchFolder scratch = *ScratchFolder::Create();
  auto folder = scratch.path() / "shared";
  std::filesystem::create_directory(folder);
  std::filesystem::permissions(folder, perms::all);
  ASSERT_TRUE(MakePrivateFolder(folder).ok());
  EXPECT_EQ(std::filesystem::status(folder).permissions(), perms::all);
}

TEST(PrivateFolder, CannotBeCreatedBelowAFile) {
  ScratchFolder scratch = *ScratchFolder::Create();
  ASSERT_TRUE(WriteFileAtomically(scratch.path() / "file", "").ok());
  Status made = MakePrivateFolder(scratch.path() / "file" / "below");
  ASSERT_FALSE(made.ok());
  EXPECT_THAT(made.error().message(), testing::HasSubstr("file/below"));
}

TEST(PrivateFolder, AnEmptyPathIsTheCurrentFolder) {
  EXPECT_TRUE(MakePrivateFolder("").ok());
}

}  // namespace
}  // namespace mete
