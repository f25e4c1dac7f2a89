#include "serve/token.h"

#include <gtest/gtest.h>

#include "support/file.h"

namespace mete {
namespace {

TEST(ServeToken, IsCreatedOnceAndReadableByItsOwnerOnly) {
  ScratchFolder folder = *ScratchFolder::Create();
  auto file = folder.path() / "state" / "token";
  auto made = ReadOrMakeTokens(file);
  ASSERT_TRUE(made.ok()) << made.error().message();
  ASSERT_EQ(made->size(), 1u);
  EXPECT_EQ(made->front().token.size(), 64u);
  EXPECT_EQ(made->front().role, Role::kAdmin);
  EXPECT_EQ(ReadOrMakeTokens(file)->front().token, made->front().token);
  EXPECT_EQ(
      std::filesystem::status(file).permissions(),
      std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

TEST(ServeToken, TwoServersHaveDifferentTokens) {
  ScratchFolder folder = *ScratchFolder::Create();
  EXPECT_NE(ReadOrMakeTokens(folder.path() / "a")->front().token,
            ReadOrMakeTokens(folder.path() / "b")->front().token);
}

// Writes a file that only its owner can read.
void WriteSecret(const std::filesystem::path& file, const char* content) {
  std::filesystem::remove(file);
  ASSERT_TRUE(WriteFileAtomically(file, content).ok());
  std::filesystem::permissions(file, std::filesystem::perms::owner_read);
}

TEST(ServeToken, WithoutRolesTheFirstLineIsTheTokenOfAnAdmin) {
  ScratchFolder folder = *ScratchFolder::Create();
  auto file = folder.path() / "t";
  WriteSecret(file, "secret\r\nmore\n");
  auto tokens = ReadTokens(file);
  ASSERT_TRUE(tokens.ok()) << tokens.error().message();
  ASSERT_EQ(tokens->size(), 1u);
  EXPECT_EQ(tokens->front().token, "secret");
  EXPECT_EQ(tokens->front().role, Role::kAdmin);
  for (const char* nothing : {"", "\n", "# only a comment\n"}) {
    WriteSecret(file, nothing);
    EXPECT_EQ(ReadTokens(file).error().code(), ErrorCode::kInvalidInput);
  }
}

TEST(ServeToken, ALineOfTheFileHasARoleAndAToken) {
  ScratchFolder folder = *ScratchFolder::Create();
  auto file = folder.path() / "t";
  WriteSecret(file, "# ours\nread:abc\n\nsubmit:d:e\r\nadmin:f \n");
  auto tokens = ReadTokens(file);
  ASSERT_TRUE(tokens.ok()) << tokens.error().message();
  ASSERT_EQ(tokens->size(), 3u);
  EXPECT_EQ(tokens->at(0).role, Role::kRead);
  EXPECT_EQ(tokens->at(0).token, "abc");
  EXPECT_EQ(tokens->at(1).role, Role::kSubmit);
  EXPECT_EQ(tokens->at(1).token, "d:e");
  EXPECT_EQ(tokens->at(2).role, Role::kAdmin);
  EXPECT_EQ(tokens->at(2).token, "f");
}

TEST(ServeToken, AnUnknownRoleIsRefusedWithoutPrintingTheToken) {
  ScratchFolder folder = *ScratchFolder::Create();
  auto file = folder.path() / "t";
  for (const char* wrong :
       {"read:abc\nreader:hush\n", "read:abc\nhush\n", "read:hush\nread:\n"}) {
    WriteSecret(file, wrong);
    auto tokens = ReadTokens(file);
    ASSERT_FALSE(tokens.ok()) << wrong;
    EXPECT_NE(tokens.error().message().find(":2: expected read:TOKEN"),
              std::string::npos)
        << tokens.error().message();
    EXPECT_EQ(tokens.error().message().find("hush"), std::string::npos);
  }
}

TEST(ServeToken, OnlyASmallRegularFileIsRead) {
  ScratchFolder folder = *ScratchFolder::Create();
  auto large = folder.path() / "large";
  WriteSecret(large, std::string(100'000, 'x').c_str());
  for (const std::filesystem::path& file :
       {std::filesystem::path("/dev/zero"), folder.path(), large}) {
    auto tokens = ReadTokens(file);
    ASSERT_FALSE(tokens.ok()) << file;
    EXPECT_EQ(tokens.error().code(), ErrorCode::kInvalidInput) << file;
  }
  EXPECT_EQ(ReadTokens(folder.path() / "none").error().code(),
            ErrorCode::kNotFound);
}

TEST(ServeToken, AFileThatEverybodyCanReadIsRefused) {
  ScratchFolder folder = *ScratchFolder::Create();
  auto file = folder.path() / "t";
  WriteSecret(file, "secret\n");
  std::filesystem::permissions(file, std::filesystem::perms::others_read,
                               std::filesystem::perm_options::add);
  auto token = ReadTokens(file);
  ASSERT_FALSE(token.ok());
  EXPECT_EQ(token.error().code(), ErrorCode::kPermissionDenied);
  EXPECT_NE(token.error().message().find("chmod o-r"), std::string::npos);
}

}  // namespace
}  // namespace mete
