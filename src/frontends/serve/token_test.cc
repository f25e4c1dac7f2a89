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

TEST(ServeToken, IsTheFirstLineOfTheFile) {
  ScratchFolder folder = *ScratchFolder::Create();
  auto file = folder.path() / "t";
  ASSERT_TRUE(WriteFileAtomically(file, "secret\r\nmore\n").ok());
  EXPECT_EQ(*ReadToken(file), "secret");
  ASSERT_TRUE(WriteFileAtomically(file, "\n").ok());
  EXPECT_EQ(ReadToken(file).error().code(), ErrorCode::kInvalidInput);
}

}  // namespace
}  // namespace mete
