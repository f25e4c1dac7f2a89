// The tests that every RunStore must pass: the fake and each adapter.
//
//   struct MemoryStoreMaker {
//     std::unique_ptr<RunStore> Make() {…}
//   };
//   INSTANTIATE_TYPED_TEST_SUITE_P(Memory, RunStoreContract,
//                                  MemoryStoreMaker);
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "ports/run_store.h"

namespace mete {

inline std::chrono::system_clock::time_point ExampleTime(int64_t seconds) {
  return std::chrono::system_clock::time_point(
      std::chrono::seconds(1700000000 + seconds));
}

inline Device ExampleDevice(const std::string& id, const std::string& name) {
  return {.id = id,
          .name = name,
          .facts = {.architecture = "aarch64",
                    .cpu_model = "Arm Cortex-A72",
                    .cores = 4,
                    .max_frequency_hz = 1.8e9,
                    .caches = {{"L1d", Kibibytes(32)}, {"L2", Mebibytes(1)}},
                    .ram = Gibibytes(4),
                    .gpus = {"Broadcom VideoCore VI"},
                    .os = "Debian GNU/Linux 12 (bookworm)",
                    .kernel = "6.1.21-v8+",
                    .board = "Raspberry Pi 4 Model B Rev 1.4"},
          .speed = DeviceSpeed{.operations_per_second = 2.5e10,
                               .memory_bytes_per_second = 4e9,
                               .measured_at = ExampleTime(-60)},
          .registered_at = ExampleTime(-120)};
}

// Makes a completed run of device "d1", `seconds` after the first example.
inline Run ExampleRun(const std::string& id, int64_t seconds) {
  Run run;
  run.id = id;
  run.started_at = ExampleTime(seconds);
  run.workload = {.name = "lenet",
                  .source = "zoo/lenet.onnx",
                  .sha256 = std::string(64, 'a'),
                  .input_shapes = {"input=1x1x28x28"},
                  .input_origin = "random"};
  run.device_id = "d1";
  run.device_name = "pi";
  run.limits.threads = 2;
  run.network()->iterations = 3;
  run.network()->warmup_iterations = 1;
  run.network()->latency = LatencySummary{.mean = Seconds(0.002),
                                          .min = Seconds(0.001),
                                          .p50 = Seconds(0.002),
                                          .p90 = Seconds(0.003),
                                          .p95 = Seconds(0.003),
                                          .p99 = Seconds(0.003),
                                          .max = Seconds(0.003)};
  run.engine = {"onnxruntime", "1.22.0"};
  run.environment = {
      .cpu_model = "Arm Cortex-A72", .cores = 4, .kernel = "6.1.21-v8+"};
  run.mete_version = "0.1.0";
  run.seed = 42;
  run.network()->layers = {{.name = "conv1",
                            .op = "Conv",
                            .calls = 3,
                            .mean = Seconds(0.001),
                            .stddev = Seconds(0.0001),
                            .share = 0.5}};
  run.network()->samples = {0.001, 0.002, 0.003};
  return run;
}

inline std::vector<std::string> ToIds(const std::vector<Run>& runs) {
  std::vector<std::string> ids;
  for (const Run& run : runs) ids.push_back(run.id);
  return ids;
}

template <typename Maker>
class RunStoreContract : public testing::Test {
 protected:
  // A store that contains the device "d1" called "pi".
  void SetUp() override {
    store = maker.Make();
    ASSERT_NE(store, nullptr);
    ASSERT_TRUE(store->SaveDevice(ExampleDevice("d1", "pi")).ok());
  }

  Maker maker;
  std::unique_ptr<RunStore> store;
};
TYPED_TEST_SUITE_P(RunStoreContract);

TYPED_TEST_P(RunStoreContract, ReturnsTheSavedRun) {
  ASSERT_TRUE(this->store->SaveRun(ExampleRun("r1", 0)).ok());
  auto run = this->store->FindRun("r1");
  ASSERT_TRUE(run.ok()) << run.error().message();
  EXPECT_EQ(run->id, "r1");
  EXPECT_EQ(run->started_at, ExampleTime(0));
  EXPECT_EQ(run->workload.name, "lenet");
  EXPECT_EQ(run->workload.sha256, std::string(64, 'a'));
  EXPECT_EQ(run->device_id, "d1");
  EXPECT_EQ(run->device_name, "pi");
  EXPECT_EQ(run->limits.threads, 2);
  EXPECT_EQ(run->limits.memory, std::nullopt);
  EXPECT_EQ(run->network()->iterations, 3u);
  ASSERT_TRUE(run->network()->latency.has_value());
  EXPECT_EQ(run->network()->latency->p50, Seconds(0.002));
  EXPECT_EQ(run->network()->latency->p50_low, std::nullopt);
  EXPECT_EQ(run->engine.version, "1.22.0");
  EXPECT_EQ(run->seed, 42u);
}

TYPED_TEST_P(RunStoreContract, KeepsSamplesAndLayersOfARun) {
  ASSERT_TRUE(this->store->SaveRun(ExampleRun("r1", 0)).ok());
  auto run = this->store->FindRun("r1");
  ASSERT_TRUE(run.ok());
  EXPECT_THAT(run->network()->samples,
              testing::ElementsAre(0.001, 0.002, 0.003));
  ASSERT_EQ(run->network()->layers.size(), 1u);
  EXPECT_EQ(run->network()->layers[0].name, "conv1");
  EXPECT_EQ(run->network()->layers[0].share, 0.5);
}

TYPED_TEST_P(RunStoreContract, KeepsTheRunOfAnApplication) {
  Run run = ExampleRun("r1", 0);
  run.workload.kind = WorkloadKind::kCommand;
  run.cpu_time = Seconds(0.5);
  run.details = ApplicationDetails{.duration = Seconds(1.5),
                                   .exit_code = 3,
                                   .energy = Joules{7.5},
                                   .energy_source = "rapl"};
  ASSERT_TRUE(this->store->SaveRun(run).ok());
  auto found = this->store->FindRun("r1");
  ASSERT_TRUE(found.ok()) << found.error().message();
  EXPECT_EQ(found->network(), nullptr);
  EXPECT_EQ(found->cpu_time, Seconds(0.5));
  ASSERT_NE(found->application(), nullptr);
  EXPECT_EQ(found->application()->duration, Seconds(1.5));
  EXPECT_EQ(found->application()->exit_code, 3);
  EXPECT_EQ(found->application()->energy, Joules{7.5});
}

TYPED_TEST_P(RunStoreContract, KeepsARunWithoutSamples) {
  Run run = ExampleRun("r1", 0);
  run.outcome = {OutcomeKind::kRejected, "unknown operator"};
  run.network()->latency.reset();
  run.network()->samples.clear();
  run.network()->layers.clear();
  ASSERT_TRUE(this->store->SaveRun(run).ok());
  auto found = this->store->FindRun("r1");
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found->outcome.kind, OutcomeKind::kRejected);
  EXPECT_EQ(found->outcome.detail, "unknown operator");
  EXPECT_FALSE(found->network()->latency.has_value());
  EXPECT_TRUE(found->network()->samples.empty());
  EXPECT_TRUE(found->network()->layers.empty());
}

TYPED_TEST_P(RunStoreContract, RejectsAnIdThatIsTaken) {
  ASSERT_TRUE(this->store->SaveRun(ExampleRun("r1", 0)).ok());
  Status again = this->store->SaveRun(ExampleRun("r1", 5));
  ASSERT_FALSE(again.ok());
  EXPECT_EQ(again.error().code(), ErrorCode::kInvalidInput);
  EXPECT_EQ(this->store->FindRun("r1")->started_at, ExampleTime(0));
}

TYPED_TEST_P(RunStoreContract, RejectsARunOfAnUnknownDevice) {
  Run run = ExampleRun("r1", 0);
  run.device_id = "nobody";
  Status saved = this->store->SaveRun(run);
  ASSERT_FALSE(saved.ok());
  EXPECT_EQ(saved.error().code(), ErrorCode::kInvalidInput);
  EXPECT_TRUE(this->store->ListRuns({})->empty());
}

TYPED_TEST_P(RunStoreContract, FindsARunByAPrefixOfItsId) {
  ASSERT_TRUE(this->store->SaveRun(ExampleRun("2024-aa", 0)).ok());
  ASSERT_TRUE(this->store->SaveRun(ExampleRun("2024-ab", 1)).ok());
  auto run = this->store->FindRun("2024-ab");
  ASSERT_TRUE(run.ok());
  EXPECT_EQ(run->id, "2024-ab");
  ASSERT_TRUE(this->store->SaveRun(ExampleRun("2025-x", 2)).ok());
  EXPECT_EQ(this->store->FindRun("2025")->id, "2025-x");
}

TYPED_TEST_P(RunStoreContract, ListsTheCandidatesOfAnAmbiguousPrefix) {
  ASSERT_TRUE(this->store->SaveRun(ExampleRun("2024-aa", 0)).ok());
  ASSERT_TRUE(this->store->SaveRun(ExampleRun("2024-ab", 1)).ok());
  auto run = this->store->FindRun("2024");
  ASSERT_FALSE(run.ok());
  EXPECT_EQ(run.error().code(), ErrorCode::kInvalidInput);
  EXPECT_THAT(run.error().message(), testing::HasSubstr("2024-aa, 2024-ab"));
}

TYPED_TEST_P(RunStoreContract, PrefersAnExactIdToALongerOne) {
  ASSERT_TRUE(this->store->SaveRun(ExampleRun("r1", 0)).ok());
  ASSERT_TRUE(this->store->SaveRun(ExampleRun("r10", 1)).ok());
  auto run = this->store->FindRun("r1");
  ASSERT_TRUE(run.ok());
  EXPECT_EQ(run->id, "r1");
}

TYPED_TEST_P(RunStoreContract, AnUnknownRunIsNotFound) {
  ASSERT_TRUE(this->store->SaveRun(ExampleRun("r1", 0)).ok());
  for (const char* id : {"r2", "%", "_1", "r1 "}) {
    auto run = this->store->FindRun(id);
    ASSERT_FALSE(run.ok()) << id;
    EXPECT_EQ(run.error().code(), ErrorCode::kNotFound) << id;
    EXPECT_EQ(run.error().message(), std::string("no run has the ID '") + id +
                                         "'; list them with mete runs list");
  }
}

TYPED_TEST_P(RunStoreContract, AnEmptyIdIsNotAPrefix) {
  ASSERT_TRUE(this->store->SaveRun(ExampleRun("r1", 0)).ok());
  EXPECT_EQ(this->store->FindRun("").error().code(), ErrorCode::kInvalidInput);
}

TYPED_TEST_P(RunStoreContract, ListsNewestFirst) {
  ASSERT_TRUE(this->store->SaveRun(ExampleRun("r2", 20)).ok());
  ASSERT_TRUE(this->store->SaveRun(ExampleRun("r3", 30)).ok());
  ASSERT_TRUE(this->store->SaveRun(ExampleRun("r1", 10)).ok());
  auto runs = this->store->ListRuns({});
  ASSERT_TRUE(runs.ok());
  EXPECT_THAT(ToIds(*runs), testing::ElementsAre("r3", "r2", "r1"));
}

TYPED_TEST_P(RunStoreContract, ListsWithoutSamplesAndLayers) {
  ASSERT_TRUE(this->store->SaveRun(ExampleRun("r1", 0)).ok());
  auto runs = this->store->ListRuns({});
  ASSERT_EQ(runs->size(), 1u);
  EXPECT_TRUE(runs->at(0).network()->samples.empty());
  EXPECT_TRUE(runs->at(0).network()->layers.empty());
  EXPECT_EQ(runs->at(0).network()->latency->p99, Seconds(0.003));
}

TYPED_TEST_P(RunStoreContract, ListsTheNewestUpToALimit) {
  for (int i = 0; i < 5; ++i) {
    ASSERT_TRUE(
        this->store->SaveRun(ExampleRun("r" + std::to_string(i), i)).ok());
  }
  EXPECT_THAT(ToIds(*this->store->ListRuns({.limit = 2})),
              testing::ElementsAre("r4", "r3"));
}

TYPED_TEST_P(RunStoreContract, ListsTheRunsOfOneWorkload) {
  Run other = ExampleRun("r2", 1);
  other.workload.name = "resnet18";
  ASSERT_TRUE(this->store->SaveRun(ExampleRun("r1", 0)).ok());
  ASSERT_TRUE(this->store->SaveRun(other).ok());
  EXPECT_THAT(ToIds(*this->store->ListRuns({.workload = "resnet18"})),
              testing::ElementsAre("r2"));
  EXPECT_TRUE(this->store->ListRuns({.workload = "resnet"})->empty());
}

TYPED_TEST_P(RunStoreContract, ListsTheRunsOfADeviceByNameOrId) {
  ASSERT_TRUE(this->store->SaveDevice(ExampleDevice("d2", "nano")).ok());
  Run other = ExampleRun("r2", 1);
  other.device_id = "d2";
  other.device_name = "nano";
  ASSERT_TRUE(this->store->SaveRun(ExampleRun("r1", 0)).ok());
  ASSERT_TRUE(this->store->SaveRun(other).ok());
  EXPECT_THAT(ToIds(*this->store->ListRuns({.device = "nano"})),
              testing::ElementsAre("r2"));
  EXPECT_THAT(ToIds(*this->store->ListRuns({.device = "d2"})),
              testing::ElementsAre("r2"));
  EXPECT_TRUE(this->store->ListRuns({.device = "nobody"})->empty());
}

TYPED_TEST_P(RunStoreContract, ReturnsTheSavedDevice) {
  auto device = this->store->FindDevice("pi");
  ASSERT_TRUE(device.ok());
  EXPECT_EQ(device->id, "d1");
  EXPECT_EQ(device->facts, ExampleDevice("d1", "pi").facts);
  ASSERT_TRUE(device->speed.has_value());
  EXPECT_EQ(device->speed->operations_per_second, 2.5e10);
  EXPECT_EQ(device->registered_at, ExampleTime(-120));
  EXPECT_EQ(this->store->FindDevice("d1")->name, "pi");
}

TYPED_TEST_P(RunStoreContract, AnUnknownDeviceIsNotFound) {
  auto device = this->store->FindDevice("nano");
  ASSERT_FALSE(device.ok());
  EXPECT_EQ(device.error().code(), ErrorCode::kNotFound);
  EXPECT_EQ(device.error().message(),
            "no device is named 'nano'; list them with mete devices list");
}

TYPED_TEST_P(RunStoreContract, ReplacesTheDeviceOfTheSameId) {
  ASSERT_TRUE(this->store->SaveRun(ExampleRun("r1", 0)).ok());
  Device renamed = ExampleDevice("d1", "kitchen");
  renamed.facts.kernel = "6.6.0";
  ASSERT_TRUE(this->store->SaveDevice(renamed).ok());
  EXPECT_EQ(this->store->ListDevices()->size(), 1u);
  EXPECT_EQ(this->store->FindDevice("d1")->name, "kitchen");
  EXPECT_EQ(this->store->FindDevice("d1")->facts.kernel, "6.6.0");
  EXPECT_FALSE(this->store->FindDevice("pi").ok());
  EXPECT_EQ(this->store->ListRuns({.device = "kitchen"})->size(), 1u);
}

TYPED_TEST_P(RunStoreContract, RejectsTheNameOfAnotherDevice) {
  Status saved = this->store->SaveDevice(ExampleDevice("d2", "pi"));
  ASSERT_FALSE(saved.ok());
  EXPECT_EQ(saved.error().code(), ErrorCode::kInvalidInput);
  EXPECT_EQ(this->store->FindDevice("pi")->id, "d1");
}

TYPED_TEST_P(RunStoreContract, PrefersTheDeviceWithThatId) {
  ASSERT_TRUE(this->store->SaveDevice(ExampleDevice("a0", "d1")).ok());
  EXPECT_EQ(this->store->FindDevice("d1")->name, "pi");
}

TYPED_TEST_P(RunStoreContract, ListsDevicesByName) {
  ASSERT_TRUE(this->store->SaveDevice(ExampleDevice("d2", "zed")).ok());
  ASSERT_TRUE(this->store->SaveDevice(ExampleDevice("d3", "nano")).ok());
  auto devices = this->store->ListDevices();
  ASSERT_EQ(devices->size(), 3u);
  EXPECT_EQ(devices->at(0).name, "nano");
  EXPECT_EQ(devices->at(1).name, "pi");
  EXPECT_EQ(devices->at(2).name, "zed");
}

TYPED_TEST_P(RunStoreContract, KeepsEmulationLoadAndMicroMeasurements) {
  Device device = ExampleDevice("d2", "half");
  device.emulated = true;
  device.emulation = Emulation{.host_id = "d1",
                               .limits = {.cpus = Millicores{500}},
                               .period = std::chrono::microseconds(10000)};
  device.micro =
      MicroMeasurements{.speeds = {EngineSpeed{.gemm_flops_per_second = 1e10}},
                        .engine = "onnxruntime 1.22.0",
                        .measured_at = ExampleTime(3)};
  ASSERT_TRUE(this->store->SaveDevice(device).ok());
  Run run = ExampleRun("r1", 0);
  run.device_id = "d2";
  run.load = BackgroundLoad{.asked = 0.4, .measured = 0.38};
  ASSERT_TRUE(this->store->SaveRun(run).ok());
  auto found = this->store->FindDevice("half");
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found->emulation->limits.cpus, Millicores{500});
  EXPECT_EQ(found->micro->speeds, device.micro->speeds);
  EXPECT_EQ(this->store->FindRun("r1")->load->measured, 0.38);
}

TYPED_TEST_P(RunStoreContract, RemovesADeviceWithItsRuns) {
  ASSERT_TRUE(this->store->SaveDevice(ExampleDevice("d2", "nano")).ok());
  ASSERT_TRUE(this->store->SaveRun(ExampleRun("r1", 0)).ok());
  Run other = ExampleRun("r2", 1);
  other.device_id = "d2";
  ASSERT_TRUE(this->store->SaveRun(other).ok());
  ASSERT_TRUE(this->store->RemoveDevice("nano").ok());
  EXPECT_FALSE(this->store->FindDevice("d2").ok());
  EXPECT_THAT(ToIds(*this->store->ListRuns({})), testing::ElementsAre("r1"));
  EXPECT_EQ(this->store->RemoveDevice("nano").error().code(),
            ErrorCode::kNotFound);
}

TYPED_TEST_P(RunStoreContract, ReturnsTheSavedNetwork) {
  NetworkTraits network;
  network.name = "lenet";
  network.sha256 = std::string(64, 'a');
  network.flops = 1e6;
  network.work[0] = {.nodes = 2, .log_depth = 1.5};
  ASSERT_TRUE(this->store->SaveNetwork(network).ok());
  network.batch = 4;
  network.flops = 4e6;
  ASSERT_TRUE(this->store->SaveNetwork(network).ok());
  auto found = this->store->FindNetwork(network.sha256, 1);
  ASSERT_TRUE(found.ok()) << found.error().message();
  EXPECT_EQ(found->name, "lenet");
  EXPECT_EQ(found->flops, 1e6);
  EXPECT_EQ(found->work[0].log_depth, 1.5);
  EXPECT_EQ(this->store->FindNetwork(network.sha256, 4)->flops, 4e6);
  EXPECT_EQ(this->store->FindNetwork(network.sha256, 2).error().code(),
            ErrorCode::kNotFound);
}

TYPED_TEST_P(RunStoreContract, ReplacesTheNetworkOfTheSameFileAndBatch) {
  NetworkTraits network;
  network.name = "b";
  network.sha256 = "1";
  ASSERT_TRUE(this->store->SaveNetwork(network).ok());
  network.flops = 7;
  ASSERT_TRUE(this->store->SaveNetwork(network).ok());
  NetworkTraits other;
  other.name = "a";
  other.sha256 = "2";
  ASSERT_TRUE(this->store->SaveNetwork(other).ok());
  auto networks = this->store->ListNetworks();
  ASSERT_EQ(networks->size(), 2u);
  EXPECT_EQ(networks->at(0).name, "a");
  EXPECT_EQ(networks->at(1).flops, 7);
  EXPECT_EQ(this->store->SaveNetwork({}).error().code(),
            ErrorCode::kInvalidInput);
}

REGISTER_TYPED_TEST_SUITE_P(
    RunStoreContract, ReturnsTheSavedRun, KeepsSamplesAndLayersOfARun,
    KeepsTheRunOfAnApplication, KeepsARunWithoutSamples, RejectsAnIdThatIsTaken,
    RejectsARunOfAnUnknownDevice, FindsARunByAPrefixOfItsId,
    ListsTheCandidatesOfAnAmbiguousPrefix, PrefersAnExactIdToALongerOne,
    AnUnknownRunIsNotFound, AnEmptyIdIsNotAPrefix, ListsNewestFirst,
    ListsWithoutSamplesAndLayers, ListsTheNewestUpToALimit,
    ListsTheRunsOfOneWorkload, ListsTheRunsOfADeviceByNameOrId,
    ReturnsTheSavedDevice, AnUnknownDeviceIsNotFound,
    ReplacesTheDeviceOfTheSameId, RejectsTheNameOfAnotherDevice,
    PrefersTheDeviceWithThatId, ListsDevicesByName,
    KeepsEmulationLoadAndMicroMeasurements, RemovesADeviceWithItsRuns,
    ReturnsTheSavedNetwork, ReplacesTheNetworkOfTheSameFileAndBatch);

}  // namespace mete
