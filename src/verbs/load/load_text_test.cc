#include "load/load_text.h"

#include <gtest/gtest.h>

#include "load/test_samples.h"
#include "support/csv.h"
#include "support/json.h"

namespace mete {
namespace {

using std::chrono::milliseconds;

LoadAnswer AnswerFor(const LoadSamples& samples) {
  return {.origin = {.machine = "box", .mete_version = "1", .seed = 7},
          .targets = {SummarizeLoad(samples)}};
}

// Four requests: answered, failed, unanswered and not sent.
LoadSamples FourFates() {
  LoadSamples samples{
      .name = "a,b", .window = milliseconds(4000), .arrivals = "constant 1/s"};
  samples.samples = {
      {.intended = milliseconds(0),
       .dispatched = milliseconds(1),
       .sent = milliseconds(2),
       .received = milliseconds(12),
       .fate = RequestFate::kAnswered,
       .status = 200,
       .timing = {.service = Seconds(0.008)}},
      {.intended = milliseconds(1000),
       .dispatched = milliseconds(1000),
       .sent = milliseconds(1000),
       .received = milliseconds(1001),
       .fate = RequestFate::kFailed,
       .status = 503,
       .replica = 1},
      {.intended = milliseconds(2000),
       .dispatched = milliseconds(2000),
       .fate = RequestFate::kUnanswered},
      {.intended = milliseconds(3000), .fate = RequestFate::kNotSent}};
  return samples;
}

TEST(LoadText, SamplesHaveOneRowForEveryRequest) {
  EXPECT_EQ(
      SamplesCsv({FourFates()}),
      "target,replica,outcome,status,intended_seconds,dispatched_seconds,"
      "sent_seconds,received_seconds,service_seconds,queueing_seconds\n"
      "\"a,b\",0,answered,200,0.000000000,0.001000000,0.002000000,0.012000000,"
      "0.008,\n"
      "\"a,b\",1,failed,503,1.000000000,1.000000000,1.000000000,1.001000000,,\n"
      "\"a,b\",0,unanswered,,2.000000000,2.000000000,,,,\n"
      "\"a,b\",,not_sent,,3.000000000,,,,,\n");
}

TEST(LoadText, QuantilesAmongMissingAnswersAreNamedSo) {
  std::string text = LoadText(AnswerFor(FourFates()));
  EXPECT_NE(text.find("3 sent, 1 answered, 1 failed, 1 unanswered"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("saturated: the service refused 33.3 %"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("max   no answer"), std::string::npos) << text;
  Json json = LoadJson(AnswerFor(FourFates()));
  EXPECT_FALSE(json["targets"][0]["sojourn_seconds"].contains("max"));
  EXPECT_EQ(json["targets"][0]["saturation"]["sign"], "rejected");
}

TEST(LoadText, FitsATerminalOfEightyColumns) {
  LoadAnswer answer = AnswerFor(SimulateQueue({.utilization = 0.9}));
  answer.objective = *ParseRateObjective("p99.9=1s");
  answer.checks = {
      {.value = Seconds(0.123456), .low = Seconds(0.1), .high = Seconds(0.2)}};
  std::string text = LoadText(answer);
  size_t begin = 0;
  for (size_t end = 0; (end = text.find('\n', begin)) != std::string::npos;
       begin = end + 1) {
    EXPECT_LE(end - begin, 80u) << text.substr(begin, end - begin);
  }
  EXPECT_NE(text.find("objective p99.9=1s: undecided, p99.9 123 ms (100 ms to "
                      "200 ms)"),
            std::string::npos)
      << text;
}

TEST(LoadText, CsvHasARowForEachTarget) {
  LoadAnswer answer = AnswerFor(SimulateQueue({}));
  answer.targets.push_back(SummarizeLoad(FourFates()));
  auto records = ParseCsv(LoadCsv(answer));
  ASSERT_TRUE(records.ok());
  ASSERT_EQ(records->size(), 3u);
  for (const CsvRecord& record : *records) {
    EXPECT_EQ(record.cells.size(), records->front().cells.size());
  }
  EXPECT_EQ((*records)[2].cells.front(), "a,b");
  EXPECT_EQ((*records)[2].cells.back(), "rejected");
}

RateAnswer Found(SearchEnd end, std::optional<double> kept,
                 std::optional<double> violated) {
  return {.name = "app",
          .objective = *ParseRateObjective("p95=50ms"),
          .found = {.kept = kept, .violated = violated, .end = end}};
}

TEST(RateText, NamesTheIntervalOrWhyThereIsNone) {
  auto first_line = [](const RateAnswer& answer) {
    std::string text = RateText(answer);
    return text.substr(0, text.find("\n\n"));
  };
  EXPECT_EQ(first_line(Found(SearchEnd::kFound, 640, 680)),
            "app: highest rate with p95=50ms: 640/s (640/s to 680/s, 95 %)");
  EXPECT_EQ(first_line(Found(SearchEnd::kGenerator, 640, {})),
            "app: p95=50ms is kept at 640/s and perhaps beyond\n"
            "note: mete cannot send faster on this machine");
  EXPECT_EQ(first_line(Found(SearchEnd::kNeverKept, {}, 10)),
            "app: p95=50ms is not kept at any rate that was tried; it is "
            "violated at 10/s");
  EXPECT_EQ(first_line(Found(SearchEnd::kTooFew, {}, {})),
            "app: cannot tell at which rate p95=50ms is kept\n"
            "note: too few requests to judge; use a longer --duration or a "
            "higher --rate");
}

TEST(RateText, JsonLeavesOutWhatIsNotKnown) {
  RateAnswer answer = Found(SearchEnd::kGenerator, 640, {});
  answer.found.trials = {{.rate = 640,
                          .windows = 2,
                          .check = {.verdict = ObjectiveVerdict::kKept,
                                    .requests = 100,
                                    .value = Seconds(0.01),
                                    .high = Seconds(0.02)}}};
  Json json = RateJson(answer);
  EXPECT_EQ(json["kept_rate"], 640);
  EXPECT_FALSE(json.contains("violated_rate"));
  EXPECT_EQ(json["end"], "generator");
  EXPECT_EQ(json["rates"][0]["verdict"], "kept");
  EXPECT_FALSE(json["rates"][0].contains("low"));
  EXPECT_EQ(TrialText(answer.found.trials[0], answer.objective),
            "640/s: kept, p95 10.0 ms (at most 20.0 ms)");
  EXPECT_NE(RateText(answer).find("  at most 20.0 ms  "), std::string::npos);
}

}  // namespace
}  // namespace mete
