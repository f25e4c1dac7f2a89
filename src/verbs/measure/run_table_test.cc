#include "measure/run_table.h"

#include <gtest/gtest.h>

#include <sstream>

#include "domain/run_words.h"

namespace mete {
namespace {

mete::Run StableRun() {
  mete::Run run;
  run.id = "01HWXYZ00012345678ABCDEFGH";
  run.started_at = std::chrono::system_clock::from_time_t(1714566600);
  run.workload = {.name = "mobilenet-v2",
                  .input_shapes = {"input=1x3x224x224"},
                  .input_origin = "random"};
  run.device_name = "box";
  run.limits.threads = 2;
  run.network()->iterations = 412;
  run.network()->warmup_iterations = 25;
  run.network()->latency = {.mean = Seconds(0.00875),
                            .min = Seconds(0.0081),
                            .p50 = Seconds(0.00871),
                            .p90 = Seconds(0.0091),
                            .p95 = Seconds(0.0092),
                            .p99 = Seconds(0.00941),
                            .max = Seconds(0.0119),
                            .p50_low = Seconds(0.00868),
                            .p50_high = Seconds(0.00874)};
  run.network()->throughput = 115;
  run.peak_rss = Mebibytes(143);
  run.network()->load_time = Seconds(0.031);
  run.engine = {.name = "onnxruntime", .version = "1.20.1"};
  return run;
}

// Columns, not bytes: continuation bytes of UTF-8 do not count.
size_t WidestLine(const std::string& text) {
  size_t widest = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    size_t width = 0;
    for (char c : line) width += (c & 0xC0) != 0x80 ? 1 : 0;
    widest = std::max(widest, width);
  }
  return widest;
}

TEST(RunText, ShowsTheAnswerFirst) {
  std::string text = RunText(StableRun());
  EXPECT_EQ(text.substr(0, text.find("\n\n")),
            "mobilenet-v2 on box: 8.71 ms median (8.68 ms to 8.74 ms, 95 %), "
            "p99 9.41 ms,\n"
            "115 inferences/s, stable after 412 iterations");
}

TEST(RunText, ShowsAvailableIntervals) {
  std::string text = RunText(StableRun());
  EXPECT_NE(text.find("p50      8.71 ms  8.68 ms to 8.74 ms\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("p99      9.41 ms\n"), std::string::npos) << text;
}

TEST(RunText, DescribesAnUnstableSeries) {
  mete::Run run = StableRun();
  run.network()->verdict = {.kind = VerdictKind::kBimodal,
                            .explanation = "two levels: 62 % near 8.10 ms"};
  std::string text = RunText(run);
  EXPECT_NE(text.find("bimodal after 412 iterations\n"
                      "two levels: 62 % near 8.10 ms\n"),
            std::string::npos)
      << text;
}

TEST(RunText, CountsItemsOfABatch) {
  mete::Run run = StableRun();
  run.workload.batch = 8;
  EXPECT_NE(RunText(run).find("\n115 items/s"), std::string::npos);
}

TEST(RunText, RunThatTimedNothingHasNoLatency) {
  mete::Run run = StableRun();
  run.network()->latency.reset();
  run.network()->throughput.reset();
  run.network()->iterations = 0;
  run.outcome.kind = OutcomeKind::kInterrupted;
  std::string text = RunText(run);
  EXPECT_EQ(text.substr(0, text.find('\n')),
            "mobilenet-v2 on box: interrupted after 0 iterations");
  EXPECT_EQ(text.find("p50"), std::string::npos);
}

TEST(RunText, SaysThatLayersWereTimedSeparately) {
  mete::Run run = StableRun();
  EXPECT_EQ(RunText(run).find("profiler"), std::string::npos);
  run.network()->layers = {
      {.name = "a", .op = "Conv", .calls = 50, .mean = Seconds(0.01)},
      {.name = "b", .op = "Relu", .calls = 50, .mean = Seconds(0.002)}};
  EXPECT_NE(RunText(run).find("\nLayers, from separate calls with the engine's "
                              "profiler, which costs time:\n"
                              "12.0 ms in all; the median latency without it "
                              "is 8.71 ms\n"),
            std::string::npos)
      << RunText(run);
}

TEST(RunText, StaysWithinEightyColumns) {
  mete::Run run = StableRun();
  run.workload.name = std::string(100, 'n');
  run.device_name = std::string(100, 'd');
  run.network()->verdict = {.kind = VerdictKind::kDrifting,
                            .explanation =
                                "drifts: the last third is 14.0 % slower than "
                                "the first, and more words than fit a line"};
  run.network()->layers = {{.name = std::string(90, 'l'),
                            .op = std::string(60, 'o'),
                            .calls = 1000000,
                            .mean = Seconds(0.001),
                            .share = 1}};
  EXPECT_LE(WidestLine(RunText(run)), 80u) << RunText(run);
}

TEST(RunListTable, HasOneLinePerRun) {
  EXPECT_EQ(RunListTable({StableRun()}).Text(),
            "run         started      workload      median         p99      "
            "verdict\n"
            "01HWXYZ000  05-01 12:30  mobilenet-v2  8.71 ms ±0.3%  9.41 ms  "
            "stable\n");
}

TEST(RunListTable, ShowsTheLongerSideOfAnInterval) {
  mete::Run run = StableRun();
  LatencySummary& latency = *run.network()->latency;
  latency.p50 = Seconds(0.1);
  latency.p50_low = Seconds(0.099);
  latency.p50_high = Seconds(0.109);
  EXPECT_NE(RunListTable({run}).Text().find("100 ms ±9.0%"), std::string::npos);
  latency.p50_low = Seconds(0.088);
  latency.p50_high = Seconds(0.101);
  EXPECT_NE(RunListTable({run}).Text().find("100 ms ±12%"), std::string::npos);
}

TEST(RunListTable, NamesTheDevicesIfThereAreSeveral) {
  mete::Run other = StableRun();
  other.device_name = "nano";
  EXPECT_EQ(RunListTable({StableRun(), other}).Text(),
            "run         started      workload      device  median         "
            "verdict\n"
            "01HWXYZ000  05-01 12:30  mobilenet-v2  box     8.71 ms ±0.3%  "
            "stable\n"
            "01HWXYZ000  05-01 12:30  mobilenet-v2  nano    8.71 ms ±0.3%  "
            "stable\n");
}

TEST(RunListTable, StaysWithinEightyColumns) {
  mete::Run run = StableRun();
  run.workload.name = "a-network-with-a-very-long-name-v2";
  run.device_name = "a-device-with-a-very-long-name";
  run.network()->verdict.kind = VerdictKind::kTooFewSamples;
  run.network()->latency->p50_high = Seconds(0.02);
  EXPECT_LE(WidestLine(RunListTable({run}).Text()), 80u)
      << RunListTable({run}).Text();
  std::string several = RunListTable({run, StableRun()}).Text();
  EXPECT_LE(WidestLine(several), 80u) << several;
}

// Tables, sentences and JSON call a result by the same words.
TEST(RunListTable, UsesTheWordsOfTheResult) {
  mete::Run run = StableRun();
  for (VerdictKind kind : kVerdicts) {
    run.network()->verdict.kind = kind;
    std::string word = ToWords(kind);
    EXPECT_NE(RunListTable({run}).Text().find("  " + word + "\n"),
              std::string::npos)
        << word;
    const bool few = kind == VerdictKind::kTooFewSamples;
    EXPECT_NE(RunText(run).find(" " + word + (few ? ": " : " after ") +
                                "412 iterations"),
              std::string::npos)
        << word;
  }
  for (OutcomeKind kind : kOutcomes) {
    if (kind == OutcomeKind::kCompleted) continue;
    run.outcome.kind = kind;
    EXPECT_NE(RunListTable({run}).Text().find("  " + ToWords(kind) + "\n"),
              std::string::npos);
  }
}

mete::Run InProcess(uint64_t index) {
  mete::Run run = StableRun();
  run.network()->notes = {"other processes use 1.3 of 2 CPUs"};
  run.network()->repeats = ProcessRepeats{
      .index = index,
      .run_ids = {"a", "b"},
      .medians = {0.00871, 0.0093},
      .mean = 0.009,
      .low = 0.0059,
      .high = 0.0136,
      .verdict = {.kind = VerdictKind::kNotConverged,
                  .explanation = "use more processes (--repeat)"}};
  return run;
}

TEST(NetworkRepeatText, ShowsTheSpreadBetweenProcesses) {
  std::string text = NetworkRepeatText({InProcess(1), InProcess(2)});
  EXPECT_EQ(text.substr(0, text.find("\nprocess 1:\n")),
            "mobilenet-v2 on box, 2 processes: 9.00 ms mean (5.90 ms to "
            "13.6 ms, 95 %),\n"
            "medians 8.71 ms to 9.30 ms (spread 6.8 %), not converged\n"
            "use more processes (--repeat)\n"
            "note: other processes use 1.3 of 2 CPUs\n"
            "\n"
            "process  median             p99  iterations  verdict  run\n"
            "      1  8.71 ms ±0.3%  9.41 ms         412  stable   01HWXYZ000\n"
            "      2  8.71 ms ±0.3%  9.41 ms         412  stable   01HWXYZ000"
            "\n");
  EXPECT_LE(WidestLine(text), 80u) << text;
}

TEST(RunText, ARunOfSeveralProcessesShowsThemAll) {
  std::string text = RunText(InProcess(2));
  EXPECT_NE(text.find("process 2 of 2: 9.00 ms mean (5.90 ms to"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("note: other processes use 1.3 of 2 CPUs\n"),
            std::string::npos);
}

TEST(RunText, MarksALimitThatWasNotApplied) {
  mete::Run run = StableRun();
  run.limits.memory = Mebibytes(512);
  run.limits.pin = "1";
  run.network()->process =
      ApplicationDetails{.missing_limits = {EnforcedLimit::kMemory}};
  std::string text = RunText(run);
  EXPECT_NE(text.find("in a process of its own with limits: memory 512 MiB "
                      "(not applied), pinned"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("pinned"), text.rfind("pinned")) << text;
}

TEST(OperatorTable, SumsTheLayersOfEachOperator) {
  std::string text =
      OperatorTable(
          {{.name = "a", .op = "Relu", .mean = Seconds(0.001), .share = 0.2},
           {.name = "c", .op = "Constant"},
           {.name = "b", .op = "Conv", .mean = Seconds(0.001), .share = 0.2},
           {.name = "d", .op = "Conv", .mean = Seconds(0.003), .share = 0.6}})
          .Text();
  EXPECT_EQ(text,
            "operator  nodes     mean   share\n"
            "Conv          2  4.00 ms  80.0 %\n"
            "Relu          1  1.00 ms  20.0 %\n");
}

TEST(LayerTable, ListsTheSlowestWithoutConstants) {
  std::string text =
      LayerTable({{.name = "one", .op = "Relu", .mean = Seconds(0.001)},
                  {.name = "two", .op = "Constant"},
                  {.name = "three", .op = "Conv", .mean = Seconds(0.003)}},
                 1)
          .Text();
  EXPECT_NE(text.find("three"), std::string::npos);
  EXPECT_EQ(text.find("one"), std::string::npos);
  EXPECT_EQ(text.find("two"), std::string::npos);
}

TEST(LayerTable, SortsByTime) {
  std::string text = LayerTable({{.name = "a",
                                  .op = "Conv",
                                  .calls = 47,
                                  .mean = Seconds(0.001),
                                  .stddev = Seconds(0.0001),
                                  .share = 0.25},
                                 {.name = "b",
                                  .op = "Gemm",
                                  .calls = 47,
                                  .mean = Seconds(0.003),
                                  .stddev = Seconds(0.0002),
                                  .share = 0.75}})
                         .Text();
  EXPECT_EQ(text,
            "layer  op       mean  stddev   share  calls\n"
            "b      Gemm  3.00 ms  200 us  75.0 %     47\n"
            "a      Conv  1.00 ms  100 us  25.0 %     47\n");
}

TEST(RunCsv, LeavesCellsOfAbsentNumbersEmpty) {
  std::string csv = RunCsv({StableRun()});
  std::string row = csv.substr(csv.find('\n') + 1);
  EXPECT_NE(row.find("0.00871,0.00868,0.00874,0.0091,0.0092,0.00941,,,0.0119"),
            std::string::npos)
      << row;
}

TEST(RunCsv, HasAsManyCellsAsHeadings) {
  std::string csv = RunCsv({StableRun()});
  size_t line = csv.find('\n');
  EXPECT_EQ(std::count(csv.begin(), csv.begin() + line, ','),
            std::count(csv.begin() + line, csv.end(), ','));
}

TEST(RunTable, MarksEmulatedDevicesInTheList) {
  mete::Run run;
  run.device_name = "quarter (emulated)";
  EXPECT_NE(RunListTable({run, StableRun()}).Text().find("quarter*"),
            std::string::npos);
  run.device_name = "quarter";
  EXPECT_EQ(RunListTable({run, StableRun()}).Text().find('*'),
            std::string::npos);
}

TEST(RunListTable, AMedianOfZeroHasNoPercentage) {
  mete::Run run = StableRun();
  run.network()->latency->p50 = Seconds(0);
  run.network()->latency->p50_low = Seconds(0);
  EXPECT_EQ(RunListTable({run}).Text().find("±"), std::string::npos);
}

TEST(RunText, ShowsThrottlingIfTheQuotaHadPeriods) {
  mete::Run run = StableRun();
  ApplicationDetails& process =
      run.network()->process.emplace(ApplicationDetails{});
  process.usage.periods = 20;
  process.usage.throttled_periods = 1;
  EXPECT_NE(RunText(run).find("throttled in 5 % of the periods"),
            std::string::npos)
      << RunText(run);
  process.usage.periods = 1;
  EXPECT_NE(RunText(run).find("throttled in 100 %"), std::string::npos);
  process.usage.periods = 0;
  EXPECT_EQ(RunText(run).find("throttled"), std::string::npos);
}

TEST(RunText, ShowsAnAutocorrelationTimeAboveOne) {
  mete::Run run = StableRun();
  run.network()->autocorrelation_time = 1;
  EXPECT_EQ(RunText(run).find("autocorrelation"), std::string::npos);
  run.network()->autocorrelation_time = 1.5;
  EXPECT_NE(RunText(run).find("autocorrelation time 1.5"), std::string::npos);
}

}  // namespace
}  // namespace mete
