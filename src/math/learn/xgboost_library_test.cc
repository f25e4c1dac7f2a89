#include "learn/xgboost_library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mete {
namespace {

using testing::StartsWith;

TEST(XgboostLibrary, NamesAMissingLibrary) {
  auto loaded = LoadXgboost("libnowhere.so.0");
  ASSERT_FALSE(loaded.ok());
  EXPECT_EQ(loaded.error().code(), ErrorCode::kUnavailable);
  EXPECT_THAT(loaded.error().message(),
              StartsWith("training requires libnowhere.so.0 (Debian: apt "
                         "install libxgboost0): "));
}

TEST(XgboostLibrary, ALibraryWithoutItsFunctionsIsTooOld) {
  auto loaded = LoadXgboost("libm.so.6");
  ASSERT_FALSE(loaded.ok());
  EXPECT_EQ(loaded.error().code(), ErrorCode::kUnavailable);
  EXPECT_EQ(loaded.error().message(), "libm.so.6 is too old");
}

// A library for this test that has all functions but the last.
TEST(XgboostLibrary, ALibraryWithoutOneFunctionIsTooOld) {
  auto loaded = LoadXgboost(METE_OLD_XGBOOST);
  ASSERT_FALSE(loaded.ok());
  EXPECT_EQ(loaded.error().message(), METE_OLD_XGBOOST " is too old");
}

TEST(XgboostLibrary, IsLoadedOnce) {
  auto first = Xgboost();
  auto second = Xgboost();
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_EQ(*first, *second);
}

}  // namespace
}  // namespace mete
