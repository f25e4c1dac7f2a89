#include "support/nearest.h"

#include <gtest/gtest.h>

namespace mete {
namespace {

TEST(Nearest, CountsASwapOfNeighboursAsOneEdit) {
  EXPECT_DOUBLE_EQ(EditDistance("threads", "theads"), 1);
  EXPECT_DOUBLE_EQ(EditDistance("batch", "bacth"), 1);
}

TEST(Nearest, FindsTheCandidateWithTheFewestEdits) {
  EXPECT_EQ(Nearest("--iteratons", {"--warmup", "--iterations", "--until"}),
            "--iterations");
}

TEST(Nearest, IsAbsentWhenNothingIsNear) {
  EXPECT_EQ(Nearest("--colour", {"--warmup", "--iterations"}), std::nullopt);
  EXPECT_EQ(DidYouMean("zzz", {"measure"}), "");
}

TEST(Nearest, PrefersTheSameLettersInAnotherCase) {
  EXPECT_EQ(Nearest("mi", {"Ki", "Mi"}), "Mi");
}

}  // namespace
}  // namespace mete
