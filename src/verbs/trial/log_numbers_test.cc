#include "trial/log_numbers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mete {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<double> Found(const std::string& expression,
                          const std::string& output) {
  return LogPattern::Parse(expression).value().FindNumbers(output);
}

TEST(LogPattern, FindsOneNumberInEachMatchingLine) {
  EXPECT_THAT(Found("([0-9.e+-]+) images/sec",
                    "start\nstep 1: 271.8 images/sec, 9 images/sec\n"
                    "loss 3.2\nstep 2: 2.5e2 images/sec"),
              ElementsAre(271.8, 250));
}

TEST(LogPattern, SkipsAGroupThatIsNoNumber) {
  EXPECT_THAT(Found("rate=(\\S+)", "rate=nan\nrate=fast\nrate=1e999\nrate=4\n"),
              ElementsAre(4));
}

TEST(LogPattern, FindsNothingInEmptyOutput) {
  EXPECT_THAT(Found("([0-9]+)", ""), IsEmpty());
  EXPECT_THAT(Found("([0-9]+)", "\n\n"), IsEmpty());
}

TEST(LogPattern, TakesLinearTimeOnOneVeryLongLine) {
  // A matcher that backtracks would take exponential time.
  EXPECT_THAT(Found("(a+)+b", std::string(100'000, 'a')), IsEmpty());
}

TEST(LogPattern, RequiresExactlyOneGroup) {
  for (const char* wrong : {"[0-9]+", "([0-9]+) of ([0-9]+)"}) {
    auto pattern = LogPattern::Parse(wrong);
    ASSERT_FALSE(pattern.ok()) << wrong;
    EXPECT_THAT(pattern.error().message(), HasSubstr("must have one group"));
  }
  auto open = LogPattern::Parse("([0-9]+");
  ASSERT_FALSE(open.ok());
  EXPECT_THAT(open.error().message(), HasSubstr("is no regular expression"));
}

}  // namespace
}  // namespace mete
