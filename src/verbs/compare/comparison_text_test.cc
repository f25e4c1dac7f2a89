#include "compare/comparison_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "support/json.h"

namespace mete {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

ComparisonAnswer MakeAnswer(double low, double ratio, double high) {
  ComparedSide a{.what = "./app --algorithm quick --input some/long/path.bin",
                 .run_ids = {"01A"},
                 .values = 10,
                 .seconds = {.median = 0.1, .interval = Interval{0.09, 0.11}},
                 .min = 0.09,
                 .max = 0.2};
  ComparedSide b = a;
  b.what = "./b";
  b.seconds = {.median = 0.1 * ratio};
  return {.comparison = {
              .first = a,
              .second = b,
              .ratio = {.ratio = ratio, .interval = Interval{low, high}}}};
}

TEST(ComparisonText, SaysHowMuchAndHowSure) {
  EXPECT_THAT(
      ComparisonText(MakeAnswer(1.97, 1.98, 1.99)),
      StartsWith("B is slower: it takes 1.980 times as long as A (1.970 "
                 "to 1.990, 95 %)\n"));
  EXPECT_THAT(
      ComparisonText(MakeAnswer(0.2, 0.25, 0.4)),
      StartsWith("B is faster: 4.00 times as fast as A (2.50 to 5.00, "));
  EXPECT_THAT(ComparisonText(MakeAnswer(0.99, 1.01, 1.03)),
              StartsWith("cannot tell which is faster: B takes 1.010 times"));
}

TEST(ComparisonText, SaysWhatIsMissingForAnInterval) {
  ComparisonAnswer answer = MakeAnswer(1, 1.1, 1.2);
  answer.comparison.ratio.interval.reset();
  answer.comparison.second.values = 5;
  std::string text = ComparisonText(answer);
  for (char& c : text) c = c == '\n' ? ' ' : c;
  EXPECT_THAT(text, HasSubstr("5 pairs are too few for an interval; 6 or more "
                              "are needed"));
}

TEST(ComparisonText, FitsEightyColumns) {
  ComparisonAnswer answer = MakeAnswer(1.01, 1.1, 1.2);
  answer.allowed_slowdown = 0.05;
  answer.comparison.second.seconds.interval = Interval{0.101, 0.109};
  answer.comparison.notes = {std::string(200, 'x')};
  std::istringstream lines(ComparisonText(answer));
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(line.size(), 82u) << line;  // "…" has three bytes
  }
}

TEST(ComparisonText, SaysPlainlyWhenAGateCannotBeDecided) {
  ComparisonAnswer answer = MakeAnswer(1.01, 1.1, 1.2);
  EXPECT_THAT(GateText(answer.comparison, 0.05),
              StartsWith("cannot be decided: B takes 1.010 to 1.200 times as "
                         "long as A, and 5 % slower is allowed"));
  EXPECT_THAT(GateText(answer.comparison, 0.25), StartsWith("passed"));
  EXPECT_THAT(GateText(answer.comparison, 0), StartsWith("failed"));
}

TEST(ComparisonJson, HasNoKeysForWhatIsAbsent) {
  Json json = ComparisonJson(MakeAnswer(1.97, 1.98, 1.99));
  EXPECT_EQ(json["verdict"], "slower");
  EXPECT_EQ(json["ratio_low"], 1.97);
  EXPECT_EQ(json["a"]["p50_low"], 0.09);
  EXPECT_FALSE(json["b"].contains("p50_low"));
  EXPECT_FALSE(json.contains("gate"));
}

TEST(ComparisonCsv, IsOneRowWithEmptyCellsForWhatIsAbsent) {
  ComparisonAnswer answer = MakeAnswer(1.97, 1.98, 1.99);
  answer.allowed_slowdown = 0.05;
  std::string csv = ComparisonCsv(answer);
  EXPECT_EQ(std::ranges::count(csv, '\n'), 2);
  EXPECT_THAT(csv, HasSubstr(",1.98,1.97,1.99,slower,failed"));
  EXPECT_THAT(csv, Not(HasSubstr("nan")));
}

}  // namespace
}  // namespace mete
