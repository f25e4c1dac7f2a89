#include "report/session_profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measure/sample_csv.h"
#include "report/sample_table.h"
#include "report/session_report.h"
#include "support/file.h"
#include "support/json.h"
#include "support/sha256.h"
#include "tests/fakes/fake_clock.h"

namespace mete {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

ApplicationRun Done(double seconds) {
  ApplicationRun done;
  done.run.id = "R";
  done.run.details = ApplicationDetails{.duration = Seconds(seconds)};
  done.samples = {{.at = Seconds(0.1), .usage = {.cpu = Seconds(0.05)}},
                  {.at = Seconds(0.2), .usage = {.cpu = Seconds(0.1)}}};
  return done;
}

SessionResult Session() {
  SessionResult session{
      .spec = {.name = "street", .file = "s.yaml", .text = "name: street\n"},
      .device = {.id = "d", .name = "box"},
      .seconds = 3};
  session.applications.push_back({.spec = {.name = "a, b", .command = {"./a"}},
                                  .runs = {Done(1), Done(2)}});
  session.applications.push_back({.spec = {.name = "c", .command = {"./c"}},
                                  .failure = NotFound("start ./c: no")});
  return session;
}

TEST(SessionProfile, ContainsTheSchemaVersionTheSpecAndEveryRun) {
  Json json = ProfileToJson(Session());
  EXPECT_EQ(json["schema_version"], 1);
  EXPECT_EQ(json["session"], "street");
  EXPECT_EQ(json["spec"]["sha256"], ComputeSha256("name: street\n"));
  EXPECT_EQ(json["spec"]["text"], "name: street\n");
  EXPECT_EQ(json["device"]["name"], "box");
  const Json& first = json["applications"][0];
  EXPECT_EQ(first["runs"].size(), 2u);
  EXPECT_EQ(first["summary"]["seconds"]["p50"], 1.5);
  EXPECT_EQ(first["summary"]["outcomes"]["completed"], 2);
  EXPECT_FALSE(first.contains("failure"));
}

TEST(SessionProfile, ReportsApplicationsThatCouldNotBeStarted) {
  Json json = ProfileToJson(Session());
  EXPECT_EQ(json["applications"][1]["failure"], "start ./c: no");
  EXPECT_TRUE(json["applications"][1]["runs"].empty());
}

TEST(SessionSamples, StartWithApplicationAndRun) {
  std::string csv = SessionSamplesCsv(Session());
  EXPECT_THAT(csv, StartsWith("application,run,time_seconds,"));
  EXPECT_THAT(csv, HasSubstr("\n\"a, b\",1,0.100000,"));
  EXPECT_THAT(csv, HasSubstr("\n\"a, b\",2,0.200000,"));
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 5);
}

// Two applications on a machine whose cores, GPUs and power rails change.
SessionResult SessionOfUnlikeSamples() {
  SessionResult session = Session();
  MachineSample& first = session.applications[0].runs[1].samples[1].machine;
  first.core_busy = {{0, Seconds(1)}, {3, Seconds(2)}};
  first.rails = {{.name = "VDD_IN", .power = Watts{4.5}}};
  session.applications[1].runs = {Done(1)};
  for (UsageSample& sample : session.applications[1].runs[0].samples) {
    sample.machine = {.core_busy = {{1, sample.at}},
                      .gpus = {{.utilization = 0.75}}};
  }
  return session;
}

TEST(SessionSamples, HaveOneHeaderForTheColumnsOfAllRuns) {
  auto table =
      SampleTable::FromCsv(SessionSamplesCsv(SessionOfUnlikeSamples()));
  ASSERT_TRUE(table.ok()) << table.error().message();
  ASSERT_EQ(table->rows(), 6u);
  ASSERT_NE(table->Find("VDD_IN_watts"), nullptr);
  EXPECT_EQ(table->Find("VDD_IN_watts")->at(3), 4.5);
  ASSERT_NE(table->Find("gpu0_utilization"), nullptr);
  EXPECT_EQ(table->Find("gpu0_utilization")->at(0), std::nullopt);
  EXPECT_EQ(table->Find("gpu0_utilization")->at(5), 0.75);
}

TEST(SessionSamples, RestartTheirTimeWithEveryRun) {
  auto table =
      SampleTable::FromCsv(SessionSamplesCsv(SessionOfUnlikeSamples()));
  ASSERT_TRUE(table.ok()) << table.error().message();
  ASSERT_NE(table->Find("machine_core1"), nullptr);
  EXPECT_EQ(table->Find("machine_core1")->at(4), std::nullopt);
  EXPECT_EQ(table->Find("machine_core1")->at(5), 1);
  EXPECT_EQ(table->Find("cpu_cores")->at(4), 0.5);
}

TEST(SessionSamples, OfAResumedSessionIncludeThoseOfEarlierRuns) {
  SessionResult session = SessionOfUnlikeSamples();
  const std::string all = SessionSamplesCsv(session);
  for (ApplicationRun& done : session.applications[0].runs) {
    done.earlier_samples = SamplesCsv(done.samples);
    done.samples.clear();
  }
  auto before = SampleTable::FromCsv(all);
  const std::string csv = SessionSamplesCsv(session);
  EXPECT_THAT(csv, HasSubstr("\n\"a, b\",2,0.200000,"));
  auto after = SampleTable::FromCsv(csv);
  ASSERT_TRUE(after.ok()) << after.error().message();
  ASSERT_EQ(after->rows(), before->rows());
  for (const char* name : {"time_seconds", "cpu_cores", "VDD_IN_watts",
                           "gpu0_utilization", "machine_core1"}) {
    ASSERT_NE(after->Find(name), nullptr) << name;
    EXPECT_EQ(*after->Find(name), *before->Find(name)) << name;
  }
}

TEST(SessionReport, HasTheCurvesOfEarlierRuns) {
  SessionResult session = Session();
  const auto before = MakeReport(session).applications[0].curves[0].samples;
  ApplicationRun& done = session.applications[0].runs[0];
  done.earlier_samples = SamplesCsv(done.samples);
  done.samples.clear();
  const auto after = MakeReport(session).applications[0].curves[0].samples;
  EXPECT_EQ(after.rows(), before.rows());
  done.earlier_samples = "\"not a table";
  EXPECT_EQ(MakeReport(session).applications[0].curves[0].samples.rows(), 0u);
}

TEST(SessionProfile, SaysHowOftenTheSessionWasResumed) {
  SessionResult session = Session();
  EXPECT_FALSE(ProfileToJson(session).contains("resumed"));
  session.resumed = 2;
  EXPECT_EQ(ProfileToJson(session)["resumed"], 2);
}

TEST(RunningSessionFiles, TakeLittleOfTheTimeOfALongSession) {
  auto scratch = ScratchFolder::Create();
  SessionResult session = Session();
  session.folder = scratch->path() / "out";
  const auto profile = session.folder / "profile.json";
  FakeClock clock;
  clock.StepPerReading(std::chrono::seconds(1));
  RunningSessionFiles files(clock);
  session.interrupted = true;
  int writes = 0;
  for (int run = 0; run < 44; ++run) {
    files.Update(session);
    if (std::filesystem::remove(profile)) ++writes;
  }
  EXPECT_EQ(writes, 3);         // in the seconds 0, 21 and 42
  session.interrupted = false;  // the last result is always written
  files.Update(session);
  EXPECT_TRUE(std::filesystem::exists(profile));
}

TEST(SessionFiles, AreWrittenAsTheSpecRequests) {
  auto scratch = ScratchFolder::Create();
  SessionResult session = Session();
  session.folder = scratch->path() / "out";
  session.spec.formats.csv = false;
  ASSERT_TRUE(WriteSessionFiles(session).ok());
  EXPECT_TRUE(std::filesystem::exists(session.folder / "profile.json"));
  EXPECT_TRUE(std::filesystem::exists(session.folder / "report.html"));
  EXPECT_FALSE(std::filesystem::exists(session.folder / "samples.csv"));
}

TEST(ReportOfRun, ShowsTheLatenciesOfANetwork) {
  mete::Run run;
  run.workload = {.name = "lenet5", .source = "nets/lenet5.onnx"};
  run.network()->latency =
      LatencySummary{.p50 = Seconds(0.01), .p99 = Seconds(0.02)};
  run.network()->samples = {0.01, 0.02, 0.01};
  auto report = MakeReport(run, std::nullopt, "");
  ASSERT_TRUE(report.ok());
  std::string page = ReportPage(*report);
  EXPECT_THAT(page, HasSubstr("10.0 ms per inference (median)"));
  EXPECT_THAT(page, HasSubstr("\"title\":\"Latency\""));
  EXPECT_THAT(page, HasSubstr("mete measure nets/lenet5.onnx"));
}

TEST(ReportOfRun, ShowsTheOtherProcessesAndTheNotesOfANetwork) {
  mete::Run run;
  run.workload = {.name = "lenet5", .source = "nets/lenet5.onnx"};
  run.network()->latency =
      LatencySummary{.p50 = Seconds(0.01), .p99 = Seconds(0.02)};
  run.network()->notes = {"other processes use 1.3 of 2 CPUs"};
  run.network()->repeats =
      ProcessRepeats{.index = 1,
                     .run_ids = {"a", "b"},
                     .medians = {0.01, 0.012},
                     .mean = 0.011,
                     .low = 0.0034,
                     .high = 0.0351,
                     .verdict = {.kind = VerdictKind::kNotConverged,
                                 .explanation = "use more processes"}};
  auto report = MakeReport(run, std::nullopt, "");
  ASSERT_TRUE(report.ok());
  std::string page = ReportPage(*report);
  EXPECT_THAT(page, HasSubstr("In 2 fresh processes, of which this is number "
                              "1, the medians"));
  EXPECT_THAT(page, HasSubstr("<li>other processes use 1.3 of 2 CPUs</li>"));
}

}  // namespace
}  // namespace mete
