#include "support/result.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <memory>

namespace mete {
namespace {

Result<int> Half(int number) {
  if (number % 2 != 0) return InvalidInput("odd");
  return number / 2;
}

Result<int> Quarter(int number) {
  ASSIGN_OR_RETURN(int half, Half(number));
  return Half(half);
}

TEST(Result, CarriesAValueThroughAssignOrReturn) { EXPECT_EQ(*Quarter(12), 3); }

TEST(Result, CarriesTheFirstErrorThroughAssignOrReturn) {
  Result<int> result = Quarter(6);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code(), ErrorCode::kInvalidInput);
}

TEST(Result, WhileAddsTheContextOfTheCaller) {
  EXPECT_EQ(Half(3).While("halve 3").error().message(), "halve 3: odd");
}

TEST(Result, HoldsValuesThatCanOnlyBeMoved) {
  Result<std::unique_ptr<int>> result = std::make_unique<int>(7);
  std::unique_ptr<int> moved = *std::move(result);
  EXPECT_EQ(*moved, 7);
}

TEST(Result, SystemErrorsHaveTheMatchingCode) {
  Error error = SystemError("read memory.max", EACCES);
  EXPECT_EQ(error.code(), ErrorCode::kPermissionDenied);
  EXPECT_EQ(error.message(), "read memory.max: permission denied");
}

TEST(ResultDeathTest, AbortsOnTheValueOfAnError) {
  EXPECT_DEATH(Half(3).value(), "odd");
}

}  // namespace
}  // namespace mete
