#include "collect/collect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "collect/export_import.h"
#include "collect/latency_table.h"
#include "collect/legacy_csv.h"
#include "support/csv.h"
#include "support/file.h"
#include "support/sha256.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fake_graph_writer.h"
#include "tests/fakes/fake_host.h"
#include "tests/fakes/fake_machine_probe.h"
#include "tests/fakes/fake_testbed.h"
#include "tests/fakes/memory_run_store.h"

namespace mete {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

// GoogleTest classes have a member called Run.
using StoredRun = Run;

// Reads every file as one relu over four numbers.
class OneNode final : public GraphReader {
 public:
  Result<Network> ReadWithin(const std::filesystem::path& path,
                             const GraphLimits&) override {
    if (path.stem() == "open") return Corrupt("read open.onnx: cut off");
    Network network;
    network.graph.name = "relu";
    network.sha256 = Sha256OfFile(path).value();
    GraphValue value{.name = "input",
                     .type = {.type = ElementType::kFloat,
                              .shape = Shape{{.symbol = "N"}, {.size = 4}}}};
    network.graph.inputs = {value};
    network.graph.nodes = {{.name = "relu",
                            .op = "Relu",
                            .inputs = {"input"},
                            .outputs = {"output"}}};
    value.name = "output";
    network.graph.outputs = {value};
    return network;
  }
};

class CollectTest : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"a", "b"}) AddFile(name);
    AddDevice("whole", std::nullopt);
    AddDevice("half", Millicores{500});
    request.loads = {0, 0.4};
  }

  void AddFile(const std::string& name) {
    std::string file = folder.path() / (name + ".onnx");
    ASSERT_TRUE(WriteFileAtomically(file, name).ok());
    request.networks.push_back(
        {.kind = NetworkSource::Kind::kFile, .name = name, .source = file});
  }

  void AddDevice(const std::string& name, std::optional<Millicores> cpus) {
    Device device{.id = "id-" + name, .name = name, .facts = host.facts};
    if (cpus) {
      device.emulated = true;
      device.facts.cores = 1;
      device.emulation = Emulation{
          .host_id = "fake-device",
          .limits = {.memory = Gibibytes(1), .cpus = *cpus, .threads = 1}};
    }
    ASSERT_TRUE(store.SaveDevice(device).ok());
    request.devices.push_back(device);
  }

  CollectSummary Go() {
    auto summary =
        Collect(request,
                {.store = store,
                 .testbeds = testbeds,
                 .reader = reader,
                 .writer = writer,
                 .host = host,
                 .clock = clock,
                 .new_machine_probe =
                     [this] {
                       auto probe = std::make_unique<FakeMachineProbe>();
                       probe->joules_per_reading = joules;
                       probe->source = energy_source;
                       return probe;
                     },
                 .draw_entropy =
                     [this] {
                       return RunEntropy{.low = static_cast<uint64_t>(++drawn)};
                     }},
                {}, stop.get_token());
    CHECK(summary.ok()) << summary.error().message();
    return *summary;
  }

  std::vector<StoredRun> Runs() { return store.ListRuns({}).value(); }

  ScratchFolder folder = ScratchFolder::Create().value();
  FakeClock clock;
  FakeHost host;
  OneNode reader;
  FakeGraphWriter writer;
  MemoryRunStore store;
  TestbedScript script;
  FakeTestbedFactory testbeds{clock, script};
  CollectRequest request;
  std::stop_source stop;
  int drawn = 0;
  double joules = 0;  // counted by the machine during a run
  std::string energy_source = "rapl";
};

TEST_F(CollectTest, MeasuresEveryNetworkOnEveryDeviceUnderEveryLoad) {
  CollectSummary summary = Go();
  EXPECT_EQ(summary.total, 8u);
  EXPECT_EQ(summary.measured, 8u);
  EXPECT_EQ(summary.failed, 0u);
  EXPECT_THAT(Runs(), SizeIs(8));
  for (const StoredRun& run : Runs()) {
    EXPECT_EQ(run.network()->iterations, 10u);
    EXPECT_NEAR(run.load->measured, run.load->asked, 1e-6);
    EXPECT_DOUBLE_EQ(run.network()->latency->mean.count(), 0.01);
    EXPECT_EQ(run.engine.name, "fake");
  }
  EXPECT_THAT(store.ListNetworks().value(), SizeIs(2));
}

TEST_F(CollectTest, RunsOfAnEmulatedDeviceAreMarked) {
  Go();
  for (const StoredRun& run : Runs()) {
    EXPECT_EQ(run.device_name,
              run.device_id == "id-half" ? "half (emulated)" : "whole");
  }
}

TEST_F(CollectTest, LoadsANetworkOnceForAllLoadsOfADevice) {
  Go();
  EXPECT_THAT(script.loaded, UnorderedElementsAre("a", "a", "b", "b"));
}

TEST_F(CollectTest, LoadIsAShareOfTheDevicesCpus) {
  Go();
  EXPECT_THAT(script.burnt, testing::Contains(0.2));  // 0.4 of half a CPU
  EXPECT_THAT(script.burnt, testing::Contains(1.6));  // of four
}

TEST_F(CollectTest, StoresTheMeasuredLoadAndTheRequestedOne) {
  script.delivered = [](double cpus) { return cpus * 0.75; };
  Go();
  for (const StoredRun& run : Runs()) {
    EXPECT_NEAR(run.load->measured, 0.75 * run.load->asked, 1e-6);
  }
}

TEST_F(CollectTest, ResumesAfterAnInterruption) {
  int runs = 0;
  script.on_run = [&] {
    if (++runs == 6) stop.request_stop();
  };
  EXPECT_TRUE(Go().interrupted);
  size_t before = Runs().size();
  EXPECT_LT(before, 8u);
  EXPECT_GT(before, 0u);
  stop = std::stop_source();
  script.on_run = [] {};
  CollectSummary rest = Go();
  EXPECT_EQ(rest.found, before);
  EXPECT_EQ(rest.measured, 8 - before);
  EXPECT_THAT(Runs(), SizeIs(8));
  EXPECT_EQ(Go().found, 8u);
}

TEST_F(CollectTest, EachPassMeasuresEverythingAgain) {
  Go();
  EXPECT_THAT(Runs(), SizeIs(8));
  script.loaded.clear();
  request.passes = 3;
  CollectSummary summary = Go();
  EXPECT_EQ(summary.total, 24u);
  EXPECT_EQ(summary.found, 8u);
  EXPECT_EQ(summary.measured, 16u);
  EXPECT_THAT(Runs(), SizeIs(24));
  // Both networks run on both devices before any of them is repeated.
  ASSERT_THAT(script.loaded, SizeIs(8));
  script.loaded.resize(4);
  EXPECT_THAT(script.loaded, UnorderedElementsAre("a", "a", "b", "b"));
}

TEST_F(CollectTest, AgainRepeatsStoredRuns) {
  Go();
  request.again = true;
  EXPECT_EQ(Go().measured, 8u);
  EXPECT_THAT(Runs(), SizeIs(16));
}

TEST_F(CollectTest, MeasuresEnergyOnlyOnAnIdleMachine) {
  joules = 5;
  Go();
  for (const StoredRun& run : Runs()) {
    if (run.load->asked > 0) {
      EXPECT_FALSE(run.network()->energy_per_inference.has_value());
    } else {
      EXPECT_DOUBLE_EQ(run.network()->energy_per_inference.value().count,
                       0.5);  // ten inferences
    }
  }
}

TEST_F(CollectTest, PowerReadingsAreNotUsedAsEnergy) {
  joules = 5;
  energy_source = "hwmon3/ina3221/VDD_IN";
  Go();
  for (const StoredRun& run : Runs())
    EXPECT_FALSE(run.network()->energy_per_inference.has_value());
}

TEST_F(CollectTest, AnotherBatchIsMeasuredSeparately) {
  Go();
  request.batch = 4;
  CollectSummary summary = Go();
  EXPECT_EQ(summary.found, 0u);
  EXPECT_EQ(summary.measured, 8u);
  EXPECT_EQ(Runs().front().workload.batch, 4);
  EXPECT_DOUBLE_EQ(Runs().front().network()->throughput.value(), 400);
  EXPECT_EQ(LatencyRows(store).value().back().network.batch, 4);
}

TEST_F(CollectTest, OrderIsRandomAndDependsOnTheSeed) {
  for (char name = 'c'; name < 'k'; ++name) AddFile(std::string(1, name));
  Go();
  std::vector<std::string> first = std::exchange(script.loaded, {});
  EXPECT_FALSE(std::is_sorted(first.begin(), first.end()));
  store = MemoryRunStore();
  for (const Device& device : request.devices) {
    ASSERT_TRUE(store.SaveDevice(device).ok());
  }
  Go();
  EXPECT_EQ(script.loaded, first);
}

TEST_F(CollectTest, OutOfMemoryIsAnOutcomeAndNotRetried) {
  script.latency = [](const std::string& name) -> std::optional<double> {
    if (name == "b") return std::nullopt;
    return 0.01;
  };
  CollectSummary summary = Go();
  EXPECT_EQ(summary.measured, 4u);
  EXPECT_EQ(summary.failed, 4u);
  size_t out_of_memory = 0;
  for (const StoredRun& run : Runs()) {
    if (run.outcome.kind != OutcomeKind::kOutOfMemory) continue;
    ++out_of_memory;
    EXPECT_FALSE(run.network()->latency.has_value());
  }
  EXPECT_EQ(out_of_memory, 2u);  // one on each device
  EXPECT_EQ(Go().found, 8u);
}

TEST_F(CollectTest, SkipsABrokenFileAndSaysWhy) {
  AddFile("open");
  request.passes = 2;
  CollectSummary summary = Go();
  EXPECT_EQ(summary.measured, 16u);
  EXPECT_EQ(summary.failed, 8u);
  EXPECT_THAT(summary.notes,
              ElementsAre("open is skipped: read open.onnx: cut off"));
}

TEST_F(CollectTest, TrainingTableHasEveryRun) {
  Go();
  std::vector<LatencyRow> rows = LatencyRows(store).value();
  ASSERT_THAT(rows, SizeIs(8));
  EXPECT_EQ(ParseLatencyCsv(LatencyCsv(rows))->size(), 8u);
  for (const LatencyRow& row : rows) {
    EXPECT_EQ(row.emulated, row.device == "half");
    EXPECT_EQ(row.cpus, row.emulated ? 0.5 : 4);
    EXPECT_EQ(row.threads, row.emulated ? 1 : 4);
    EXPECT_DOUBLE_EQ(*row.seconds, 0.01);
    EXPECT_EQ(row.network.nodes, 1);
    EXPECT_FALSE(row.one_thread.has_value());
  }
}

TEST_F(CollectTest, LegacyTableHasPeppersColumnsAndFormats) {
  request.devices.resize(1);
  request.loads = {0.4};
  Go();
  auto records = ParseCsv(LegacyCsv(store, {.device_type = "desktop"}).value());
  ASSERT_THAT(*records, SizeIs(3));
  EXPECT_TRUE(
      std::is_sorted((*records)[0].cells.begin(), (*records)[0].cells.end()));
  std::map<std::string, std::string> row;
  for (size_t i = 0; i < (*records)[0].cells.size(); ++i) {
    row[(*records)[0].cells[i]] = (*records)[1].cells[i];
  }
  EXPECT_THAT(row, SizeIs(20));
  EXPECT_EQ(row["device"], "desktop");
  EXPECT_EQ(row["device_load_percent"], "40.0");
  EXPECT_EQ(row["execution_time"], "00:00:00.010000");
  EXPECT_EQ(row["disk_io_read_bytes"], "16");
  EXPECT_EQ(row["disk_io_write_bytes"], "144");
  EXPECT_EQ(row["execution_number"], "1");
  EXPECT_THAT(row["start_timestamp"], HasSubstr("2024-05-01 12:30:0"));
}

TEST_F(CollectTest, AnotherStoreImportsTheRuns) {
  Go();
  std::string lines;
  auto write = [&](const std::string& line) -> Status {
    lines += line;
    return {};
  };
  ASSERT_TRUE(ExportRuns(store, {}, write).ok());
  MemoryRunStore other;
  ImportCounts counts = ImportRuns(other, lines).value();
  EXPECT_EQ(counts.devices, 2u);
  EXPECT_EQ(counts.networks, 2u);
  EXPECT_EQ(counts.runs, 8u);
  EXPECT_EQ(LatencyCsv(*LatencyRows(other)), LatencyCsv(*LatencyRows(store)));
  EXPECT_THAT(other.FindRun(Runs()[0].id)->network()->samples, SizeIs(10));
  counts = ImportRuns(other, lines).value();
  EXPECT_EQ(counts.runs, 0u);
  EXPECT_EQ(counts.known, 8u);
}

TEST_F(CollectTest, RejectsConflictsBeforeWritingAnything) {
  Go();
  std::string lines;
  auto write = [&](const std::string& line) -> Status {
    lines += line;
    return {};
  };
  ASSERT_TRUE(ExportRuns(store, {}, write).ok());
  MemoryRunStore other;
  ASSERT_TRUE(other.SaveDevice({.id = "x", .name = "half"}).ok());
  auto counts = ImportRuns(other, lines);
  ASSERT_FALSE(counts.ok());
  EXPECT_EQ(counts.error().code(), ErrorCode::kInvalidInput);
  EXPECT_THAT(counts.error().message(), HasSubstr("'half'"));
  EXPECT_THAT(other.ListRuns({}).value(), SizeIs(0));
  EXPECT_THAT(ImportRuns(other, "{\"run\":{}}").error().message(),
              HasSubstr("line 1"));
  EXPECT_EQ(ImportRuns(other, "nonsense").error().code(), ErrorCode::kCorrupt);
}

}  // namespace
}  // namespace mete
