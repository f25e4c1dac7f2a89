#include "support/sha256.h"

#include <gtest/gtest.h>

#include "support/file.h"

namespace mete {
namespace {

// FIPS 180-2, appendix B.1.
constexpr char kAbc[] =
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

TEST(Sha256, MatchesThePublishedExample) {
  EXPECT_EQ(ComputeSha256("abc"), kAbc);
}

TEST(Sha256, OfAFileIsThatOfItsContent) {
  auto folder = *ScratchFolder::Create();
  ASSERT_TRUE(WriteFileAtomically(folder.path() / "f", "abc").ok());
  EXPECT_EQ(*Sha256OfFile(folder.path() / "f"), kAbc);
}

TEST(Sha256, OfAMissingFileIsNotFound) {
  EXPECT_EQ(Sha256OfFile("/nonexistent/f").error().code(),
            ErrorCode::kNotFound);
}

}  // namespace
}  // namespace mete
