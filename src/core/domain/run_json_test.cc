#include "domain/run_json.h"

#include <gtest/gtest.h>

#include <limits>

#include "support/json.h"

namespace mete {
namespace {

using std::chrono::system_clock;

Run FullRun() {
  Run run;
  run.id = "01HWXYZ0000000000000000000";
  run.started_at = system_clock::from_time_t(1714566600);
  run.workload = {.kind = WorkloadKind::kNetwork,
                  .name = "mobilenet-v2",
                  .source = "nets/mobilenet-v2.onnx",
                  .sha256 = "abc",
                  .batch = 4,
                  .input_shapes = {"input=4x3x224x224"},
                  .input_origin = "random",
                  .given_shapes = {"input=4x3x224x224"}};
  run.device_id = "d1";
  run.device_name = "box";
  run.limits = {.memory = Mebibytes(512),
                .cpus = Millicores{1500},
                .threads = 2,
                .pin = "0-1"};
  run.outcome = {.kind = OutcomeKind::kInterrupted, .detail = "by the user"};
  run.network()->verdict = {.kind = VerdictKind::kBimodal,
                            .explanation = "two levels"};
  run.network()->iterations = 412;
  run.network()->warmup_iterations = 25;
  run.network()->latency = {.mean = Seconds(0.0088),
                            .min = Seconds(0.0081),
                            .p50 = Seconds(0.0087),
                            .p90 = Seconds(0.0091),
                            .p95 = Seconds(0.0092),
                            .p99 = Seconds(0.0094),
                            .max = Seconds(0.0119),
                            .p50_low = Seconds(0.00868),
                            .p50_high = Seconds(0.00874),
                            .p99_low = Seconds(0.0093),
                            .p99_high = Seconds(0.0099)};
  run.network()->throughput = 459.5;
  run.cpu_time = Seconds(7.25);
  run.network()->energy_per_inference = Joules{0.75};
  run.load = BackgroundLoad{.asked = 0.4, .measured = 0.39};
  run.peak_rss = Mebibytes(143);
  run.network()->load_time = Seconds(0.031);
  run.network()->autocorrelation_time = 1.7;
  run.engine = {.name = "onnxruntime", .version = "1.20.1"};
  run.environment = {.cpu_model = "A53",
                     .cores = 4,
                     .governor = "performance",
                     .kernel = "6.1.0",
                     .load_average = 0.25,
                     .temperature_celsius = 51.5,
                     .memory_available = Mebibytes(300),
                     .disk_used = 0.625,
                     .busy_cpus = 1.5,
                     .stolen_cpus = 0.25};
  run.mete_version = "0.1.0";
  run.seed = 0xFFFFFFFFFFFFFFFFu;
  run.network()->layers = {{.name = "conv1",
                            .op = "Conv",
                            .calls = 20,
                            .mean = Seconds(0.001),
                            .stddev = Seconds(0.0001),
                            .share = 0.4}};
  run.network()->engine_options = {.provider = "CUDA",
                                   .optimization = "basic",
                                   .inter_op_threads = 2,
                                   .spinning = false,
                                   .memory_arena = true};
  run.network()->arguments = {"/nets/mobilenet-v2.onnx", "--until", "1%"};
  run.network()->notes = {"other processes use 1.5 of 4 CPUs"};
  run.network()->repeats =
      ProcessRepeats{.index = 2,
                     .run_ids = {"a", "01HWXYZ0000000000000000000"},
                     .medians = {0.0088, 0.0087},
                     .mean = 0.00875,
                     .low = 0.0081,
                     .high = 0.0094,
                     .verdict = {.kind = VerdictKind::kNotConverged,
                                 .explanation = "more processes"}};
  return run;
}

std::vector<std::string> ListKeys(const Json& json) {
  std::vector<std::string> keys;
  for (const auto& item : json.items()) keys.push_back(item.key());
  return keys;
}

TEST(RunJson, SurvivesARoundTripThroughText) {
  std::string text = DumpJson(RunToJson(FullRun()));
  auto parsed = ParseJson(text);
  ASSERT_TRUE(parsed.ok());
  auto run = RunFromJson(*parsed);
  ASSERT_TRUE(run.ok()) << run.error().message();
  EXPECT_EQ(DumpJson(RunToJson(*run)), text);
  EXPECT_EQ(run->seed, 0xFFFFFFFFFFFFFFFFu);
  EXPECT_EQ(run->started_at, FullRun().started_at);
  EXPECT_EQ(run->network()->latency->p99_high, Seconds(0.0099));
  EXPECT_EQ(run->limits.cpus, Millicores{1500});
  EXPECT_EQ(run->network()->layers.at(0).share, 0.4);
}

TEST(RunJson, KeepsTheProcessesOfARepeatedMeasurement) {
  auto read = RunFromJson(RunToJson(FullRun()));
  ASSERT_TRUE(read.ok()) << read.error().message();
  const ProcessRepeats& repeats = *read->network()->repeats;
  EXPECT_EQ(repeats.index, 2u);
  EXPECT_EQ(repeats.medians, (std::vector<double>{0.0088, 0.0087}));
  EXPECT_EQ(repeats.high, 0.0094);
  EXPECT_EQ(repeats.verdict.kind, VerdictKind::kNotConverged);
  EXPECT_EQ(read->network()->notes, FullRun().network()->notes);
  EXPECT_EQ(read->limits.pin, "0-1");
  EXPECT_EQ(read->environment.stolen_cpus, 0.25);
}

TEST(RunJson, HasTheDocumentedKeysInTheirOrder) {
  Json json = RunToJson(FullRun());
  EXPECT_EQ(ListKeys(json),
            (std::vector<std::string>{"run_id",         "workload",
                                      "device",         "limits",
                                      "outcome",        "outcome_detail",
                                      "verdict",        "verdict_explanation",
                                      "iterations",     "warmup_iterations",
                                      "latency",        "throughput",
                                      "cpu_seconds",    "joules",
                                      "load",           "peak_rss_bytes",
                                      "load_seconds",   "autocorrelation_time",
                                      "engine",         "engine_options",
                                      "arguments",      "notes",
                                      "repeats",        "environment",
                                      "clock",          "mete_version",
                                      "started_at",     "seed",
                                      "schema_version", "layers"}));
  EXPECT_EQ(ListKeys(json["latency"]),
            (std::vector<std::string>{"mean", "min", "p50", "p90", "p95", "p99",
                                      "max", "p50_low", "p50_high", "p99_low",
                                      "p99_high"}));
}

TEST(RunJson, OmitsAbsentValues) {
  mete::Run run = FullRun();
  run.network()->latency->p99_low.reset();
  run.peak_rss.reset();
  run.environment.temperature_celsius.reset();
  run.limits = {};
  Json json = RunToJson(run);
  EXPECT_FALSE(json["latency"].contains("p99_low"));
  EXPECT_FALSE(json.contains("peak_rss_bytes"));
  EXPECT_FALSE(json["environment"].contains("temperature_celsius"));
  EXPECT_EQ(json["limits"].dump(), "{}");
  auto back = RunFromJson(json);
  ASSERT_TRUE(back.ok()) << back.error().message();
  EXPECT_EQ(back->peak_rss, std::nullopt);
  EXPECT_EQ(back->network()->latency->p99_low, std::nullopt);
}

TEST(RunJson, DoesNotContainSamples) {
  mete::Run run = FullRun();
  run.network()->samples = {0.1, 0.2};
  EXPECT_FALSE(RunToJson(run).contains("samples"));
}

TEST(RunJson, OmitsANumberThatIsNotFinite) {
  mete::Run run = FullRun();
  run.network()->throughput = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(RunToJson(run).contains("throughput"));
}

TEST(RunJson, RejectsAMissingKeyByName) {
  Json json = RunToJson(FullRun());
  json.erase("device");
  auto run = RunFromJson(json);
  ASSERT_FALSE(run.ok());
  EXPECT_EQ(run.error().code(), ErrorCode::kCorrupt);
  EXPECT_NE(run.error().message().find("device"), std::string::npos);
}

TEST(RunJson, RejectsValuesOfAnotherType) {
  for (const char* key : {"run_id", "workload", "latency", "layers", "seed"}) {
    Json json = RunToJson(FullRun());
    json[key] = true;
    EXPECT_FALSE(RunFromJson(json).ok()) << key;
  }
  EXPECT_FALSE(RunFromJson(Json("text")).ok());
}

TEST(RunJson, RejectsUnknownNames) {
  Json json = RunToJson(FullRun());
  json["verdict"] = "splendid";
  auto run = RunFromJson(json);
  ASSERT_FALSE(run.ok());
  EXPECT_NE(run.error().message().find("splendid"), std::string::npos);
}

TEST(RunJson, RejectsANewerSchema) {
  Json json = RunToJson(FullRun());
  json["schema_version"] = mete::Run::kSchemaVersion + 1;
  auto run = RunFromJson(json);
  ASSERT_FALSE(run.ok());
  EXPECT_EQ(run.error().code(), ErrorCode::kUnsupported);
}

TEST(RunJson, KeepsTheUsageOfAnApplication) {
  mete::Run run;
  run.id = "01";
  run.workload = {.kind = WorkloadKind::kCommand, .name = "app"};
  run.limits = {.memory = Mebibytes(64), .cpuset = "0-1", .processes = 9};
  run.outcome = {.kind = OutcomeKind::kFailed, .detail = "exit code 3"};
  run.details = ApplicationDetails{
      .duration = Seconds(1.5),
      .exit_code = 3,
      .usage = {.cpu = Seconds(0.5),
                .periods = 10,
                .throttled_periods = 4,
                .memory_peak = Mebibytes(63),
                .memory_anonymous = Mebibytes(50),
                .memory_file = Mebibytes(12),
                .memory_kernel = Mebibytes(1),
                .resident_peak = Mebibytes(70),
                .disk_read = Bytes{512},
                .network_received = Bytes{7},
                .network_sent = Bytes{9},
                .oom_kills = 1,
                .hardware = {.cycles = 100,
                             .instructions = 150,
                             .branch_misses = 0},
                .proportional_memory = Mebibytes(40),
                .proportional_at = Seconds(1.25)},
      .energy = Joules{7.5},
      .energy_source = "rapl",
      .gpu = GpuSummary{.names = {"A2"},
                        .mean_utilization = 0.5,
                        .peak_memory = Mebibytes(700),
                        .energy = Joules{12.5}},
      .accounting = "cgroup v2",
      .sampling = {.hertz = 10, .taken = 15, .missed = 1},
      .app_metrics = {{"frame", {.rate_hz = 30, .count = 45}}},
      .samples_file = "samples.csv",
      .notes = {"a note"}};
  Json json = RunToJson(run);
  EXPECT_EQ(json["cpu"]["throttled_ratio"], 0.4);
  EXPECT_EQ(json["app_metrics"]["frame"]["rate_hz"], 30);
  EXPECT_FALSE(json["io"].contains("written_bytes"));
  EXPECT_EQ(json["counters"]["instructions"], 150);
  EXPECT_EQ(json["counters"]["branch_misses"], 0);
  EXPECT_FALSE(json["counters"].contains("cache_misses"));
  EXPECT_EQ(json["memory"]["pss_bytes"], 40 << 20);
  EXPECT_EQ(json["memory"]["anonymous_bytes"], 50 << 20);
  EXPECT_EQ(json["network"]["sent_bytes"], 9);
  EXPECT_EQ(json["gpu"]["mean_utilization"], 0.5);
  EXPECT_EQ(json["gpu"]["joules"], 12.5);
  EXPECT_FALSE(json["gpu"].contains("total_memory_bytes"));
  auto read = RunFromJson(json);
  ASSERT_TRUE(read.ok()) << read.error().message();
  EXPECT_EQ(RunToJson(*read), json);
}

TEST(RunJson, KeepsWhichLimitsAreMissing) {
  mete::Run run;
  run.workload = {.kind = WorkloadKind::kCommand, .name = "app"};
  run.details =
      ApplicationDetails{.duration = Seconds(1),
                         .notes = {"the CPU limit is not applied: no cgroup"},
                         .missing_limits = {EnforcedLimit::kCpus}};
  Json json = RunToJson(run);
  EXPECT_THAT(RunFromJson(json)->application()->missing_limits,
              testing::ElementsAre(EnforcedLimit::kCpus));
  // Older versions stored only the note.
  json.erase("missing_limits");
  EXPECT_THAT(RunFromJson(json)->application()->missing_limits,
              testing::ElementsAre(EnforcedLimit::kCpus));
}

// Older versions stored any run that ended by itself as completed.
TEST(RunJson, ReadsAnOldRunWithAnExitCodeAsFailed) {
  mete::Run run;
  run.workload = {.kind = WorkloadKind::kCommand, .name = "app"};
  run.details = ApplicationDetails{.duration = Seconds(1), .exit_code = 3};
  Json json = RunToJson(run);
  ASSERT_EQ(json["outcome"], "completed");
  EXPECT_EQ(RunFromJson(json)->outcome.kind, OutcomeKind::kFailed);
}

TEST(RunJson, AnApplicationIsOneIterationWithoutAnInterval) {
  mete::Run run;
  run.workload.kind = WorkloadKind::kCommand;
  run.details = ApplicationDetails{.duration = Seconds(1)};
  Json json = RunToJson(run);
  EXPECT_EQ(json["iterations"], 1);
  EXPECT_EQ(json["warmup_iterations"], 0);
  EXPECT_EQ(json["verdict"], "too_few_samples");
  EXPECT_EQ(json["verdict_explanation"], "one execution has no interval");
}

TEST(RunJson, AnApplicationThatWasNeverStartedHasNoDuration) {
  mete::Run run;
  run.workload.kind = WorkloadKind::kCommand;
  run.outcome.kind = OutcomeKind::kRejected;
  run.details = ApplicationDetails{};
  Json json = RunToJson(run);
  for (const char* key :
       {"duration_seconds", "cpu", "sampling", "accounting"}) {
    EXPECT_FALSE(json.contains(key)) << key;
  }
  auto read = RunFromJson(json);
  ASSERT_TRUE(read.ok()) << read.error().message();
  EXPECT_EQ(read->network(), nullptr);
  ASSERT_NE(read->application(), nullptr);
  EXPECT_FALSE(read->application()->started());
}

TEST(RunJson, KeepsTheCoRunnersOfAService) {
  auto run = FullRun();
  run.workload.kind = WorkloadKind::kService;
  MixObservation row{.mix = "random-007",
                     .kind = MixKind::kRandom,
                     .seed = 0xFFFFFFFFFFFFFFFFu,
                     .device = "box",
                     .cores = 1.5,
                     .window_s = 8,
                     .started_at = run.started_at,
                     .tenant = {"victim", 2, 12.5},
                     .sent = 200,
                     .answered = 190,
                     .failed = 7,
                     .saturated = true,
                     .service = {.mean = 0.1, .p50 = 0.2},
                     .sojourn = {.p75 = 0.3, .p95 = 0.4, .p99 = 0.5},
                     .usage = {.cpu_cores = 0.75, .page_faults_per_s = 3}};
  run.details = ApplicationDetails{
      .duration = Seconds(8),
      .accounting = "cgroup v1",
      .service = ServiceDetails{.observation = row,
                                .co_runners = {{"bully", 4, 3}},
                                .saturation = "sojourn times grew"}};
  auto read = RunFromJson(*ParseJson(DumpJson(RunToJson(run))));
  ASSERT_TRUE(read.ok()) << read.error().message();
  ASSERT_TRUE(read->application()->service.has_value());
  const ServiceDetails& service = read->application()->service.value();
  EXPECT_EQ(ToCsvLine(service.observation), ToCsvLine(row));
  ASSERT_EQ(service.co_runners.size(), 1u);
  EXPECT_EQ(service.co_runners[0].application, "bully");
  EXPECT_EQ(service.co_runners[0].instances, 4);
  EXPECT_EQ(service.co_runners[0].rate, 3);
  EXPECT_EQ(service.saturation, "sojourn times grew");
}

TEST(RunJson, HasNoCountersAndNoGpuWhereNoneWasRead) {
  mete::Run run;
  run.details =
      ApplicationDetails{.duration = Seconds(1), .accounting = "cgroup v2"};
  Json json = RunToJson(run);
  EXPECT_FALSE(json.contains("counters"));
  EXPECT_FALSE(json.contains("gpu"));
}

TEST(RunJson, NetworkKeepsTheProcessThatMeasuredIt) {
  mete::Run run = FullRun();
  run.network()->process = ApplicationDetails{
      .duration = Seconds(2.5), .exit_code = 0, .accounting = "cgroup v1"};
  auto read = RunFromJson(RunToJson(run));
  ASSERT_TRUE(read.ok()) << read.error().message();
  ASSERT_TRUE(read->network());
  EXPECT_EQ(read->iterations(), 412u);
  ASSERT_NE(read->process(), nullptr);
  EXPECT_EQ(read->process()->duration, Seconds(2.5));
  EXPECT_EQ(read->process()->accounting, "cgroup v1");
}

TEST(RunJson, NetworkThatMeteMeasuredItselfHasNoProcess) {
  auto read = RunFromJson(RunToJson(FullRun()));
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->process(), nullptr);
}

}  // namespace
}  // namespace mete
