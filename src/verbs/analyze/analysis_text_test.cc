#include "analyze/analysis_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyze/analysis_page.h"
#include "support/json.h"

namespace mete {
namespace {

using testing::HasSubstr;

FileAnalysis TestAnalysis() {
  FileAnalysis analysis{.name = "a<b.csv",
                        .series = {.times = {0, 60}, .values = {1, 2}}};
  analysis.analysis.summary =
      SeriesSummary{.count = 2, .end = 60, .step = Seconds(60), .max = 2};
  analysis.analysis.periods = {{.length = Seconds(86400),
                                .cycles = 2.5,
                                .confidence = 0.5,
                                .strength = 0.8,
                                .tentative = true}};
  analysis.analysis.forecast = SeriesForecast{.start = 120,
                                              .step = Seconds(60),
                                              .values = {1.5},
                                              .low = {1},
                                              .high = {2}};
  analysis.kind = {.kind = JobKind::kIdleHolding, .evidence = {"holds 1 GiB"}};
  return analysis;
}

TEST(AnalysisText, SaysThatAPeriodIsTentative) {
  const std::string text = AnalysisText(TestAnalysis());
  EXPECT_THAT(text, HasSubstr("24 h     2.5        0.50      80 %  tentative"));
  EXPECT_THAT(text, HasSubstr("kind: idle holding; holds 1 GiB\n"));
}

TEST(AnalysisText, WithoutValuesItSaysSo) {
  EXPECT_EQ(AnalysisText({.name = "empty.csv"}), "empty.csv: no values\n");
  EXPECT_EQ(AnalysisJson({.name = "empty.csv"}).count("count"), 0u);
}

TEST(AnalysisText, CsvIsTheForecast) {
  EXPECT_EQ(AnalysisCsv(TestAnalysis()),
            "time,value,low,high\n1970-01-01T00:02:00Z,1.5,1,2\n");
}

TEST(AnalysisText, JsonHasUnitsInItsKeys) {
  const Json json = AnalysisJson(TestAnalysis());
  EXPECT_EQ(json["periods"][0]["seconds"], 86400);
  EXPECT_EQ(json["forecast"]["step_seconds"], 60);
  EXPECT_EQ(json["forecast"].count("mase"), 0u);
}

TEST(AnalysisPage, EscapesTheName) {
  const std::string page = AnalysisPage(TestAnalysis(), "1");
  EXPECT_THAT(page, HasSubstr("a&lt;b.csv"));
  EXPECT_THAT(page, testing::Not(HasSubstr("a<b.csv")));
}

}  // namespace
}  // namespace mete
