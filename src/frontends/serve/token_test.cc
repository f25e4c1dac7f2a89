#include "serve/token.h"

#include <gtest/gtest.h>

#include "support/file.h"

namespace mete {
namespace {

TEST(ServeToken, IsCreatedOnceAndReadableByItsOwnerOnly) {
  ScratchFolder folder = *ScratchFolder::Create();
  auto file = folder.path() / "state" / "token";
  auto token = ReadOrMakeToken(file);
  ASSERT_TRUE(token.ok()) << token.error().message();
  EXPECT_EQ(token->size(), 64u);
  EXPECT_EQ(*ReadOrMakeToken(file), *token);
  EXPECT_EQ(
      std::filesystem::status(file).permissions(),
      std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

TEST(ServeToken, TwoServersHaveDifferentTokens) {
  ScratchFolder folder = *ScratchFolder::Create();
  EXPECT_NE(*ReadOrMakeToken(folder.path() / "a"),
            *ReadOrMakeToken(folder.path() / "b"));
}

// Writes a file that only its owner can read.
void WriteSecret(const std::filesystem::path& file, const char* content) {
  ASSERT_TRUE(WriteFileAtomically(file, content).ok());
  std::filesystem::permissions(file, std::filesystem::perms::owner_read);
}

TEST(ServeToken, IsTheFirstLineOfTheFile) {
  ScratchFolder folder = *ScratchFolder::Create();
  auto file = folder.path() / "t";
  WriteSecret(file, "secret\r\nmore\n");
  EXPECT_EQ(*ReadToken(file), "secret");
  WriteSecret(file, "\n");
  EXPECT_EQ(ReadToken(file).error().code(), ErrorCode::kInvalidInput);
}

TEST(ServeToken, AFileThatEverybodyCanReadIsRefused) {
  ScratchFolder folder = *ScratchFolder::Create();
  auto file = folder.path() / "t";
  WriteSecret(file, "secret\n");
  std::filesystem::permissions(file, std::filesystem::perms::others_read,
                               std::filesystem::perm_options::add);
  auto token = ReadToken(file);
  ASSERT_FALSE(token.ok());
  EXPECT_EQ(token.error().code(), ErrorCode::kPermissionDenied);
  EXPECT_NE(token.error().message().find("chmod o-r"), std::string::npos);
}

}  // namespace
}  // namespace mete
