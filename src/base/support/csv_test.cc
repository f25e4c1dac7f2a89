#include "support/csv.h"

#include <gtest/gtest.h>

namespace mete {
namespace {

TEST(Csv, RestoresCellsThatNeedQuotes) {
  std::vector<std::string> cells = {"plain",      "a,b", "say \"x\"",
                                    "two\nlines", "",    "end"};
  auto records = ParseCsv(CsvLine(cells));
  ASSERT_TRUE(records.ok()) << records.error().message();
  ASSERT_EQ(records->size(), 1u);
  EXPECT_EQ((*records)[0].cells, cells);
}

TEST(Csv, RestoresASingleEmptyCell) {
  auto records = ParseCsv(CsvLine({""}) + CsvLine({"b"})).value();
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0].cells, std::vector<std::string>{""});
}

TEST(Csv, CountsTheLinesOfTheText) {
  auto records = ParseCsv("a,b\r\n\r\n\"1\n2\",3\n4,\n").value();
  ASSERT_EQ(records.size(), 3u);
  EXPECT_EQ(records[1].line, 3u);
  EXPECT_EQ(records[2].line, 5u);
  EXPECT_EQ(records[2].cells, (std::vector<std::string>{"4", ""}));
}

TEST(Csv, AcceptsALastLineWithoutLineEnd) {
  EXPECT_EQ(ParseCsv("a\n1").value().size(), 2u);
  EXPECT_TRUE(ParseCsv("").value().empty());
}

TEST(Csv, RejectsBrokenQuotesWithTheirLine) {
  EXPECT_EQ(ParseCsv("a\n\"b").error().message(), "line 2: unclosed quote");
  EXPECT_FALSE(ParseCsv("a\nb\"c\n").ok());
  EXPECT_FALSE(ParseCsv("\"b\"c\n").ok());
}

}  // namespace
}  // namespace mete
