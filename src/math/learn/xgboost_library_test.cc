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

}  // namespace
}  // namespace mete
