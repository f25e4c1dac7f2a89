// The dependencies of a collection, made of fakes. Tests change the parts
// before they use them.
#pragma once

#include <memory>
#include <optional>

#include "collect/collect.h"
#include "collect/emulated_device.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fake_graph_files.h"
#include "tests/fakes/fake_host.h"
#include "tests/fakes/fake_machine_probe.h"
#include "tests/fakes/fake_testbed.h"
#include "tests/fakes/memory_run_store.h"

namespace mete {

struct FakeCollecting {
  FakeClock clock;
  FakeHost host;  // "fake-device", called "fake"
  FakeGraphFiles files;
  MemoryRunStore store;
  TestbedScript script;
  FakeTestbedFactory testbeds{clock, script};
  std::optional<Error> no_engine;
  uint64_t drawn = 0;

  CollectDependencies Get() {
    return {.store = store,
            .testbeds = testbeds,
            .reader = files,
            .writer = files,
            .host = host,
            .clock = clock,
            .new_machine_probe =
                [] { return std::make_unique<FakeMachineProbe>(); },
            .draw_entropy = [this] { return RunEntropy{.low = ++drawn}; },
            .engine_version = [this] { return Engine(); }};
  }

  DeviceDependencies ForDevices() {
    return {.store = store,
            .testbeds = testbeds,
            .host = host,
            .writer = files,
            .clock = clock,
            .engine_version = [this] { return Engine(); }};
  }

  Result<EngineVersion> Engine() {
    if (no_engine) return *no_engine;
    return EngineVersion{.name = "fake", .version = "1.0"};
  }

  // A device of this machine that is already measured.
  Device AddDevice(const std::string& name) {
    Device device{.id = "id-" + name,
                  .name = name,
                  .emulated = true,
                  .facts = host.facts};
    device.facts.cores = 1;
    device.emulation = Emulation{
        .host_id = host.device_id,
        .limits = {
            .memory = Gibibytes(1), .cpus = Millicores{500}, .threads = 1}};
    EngineSpeed speed{.threads = 1,
                      .gemm_flops_per_second = 10e9,
                      .conv_flops_per_second = 8e9,
                      .depthwise_flops_per_second = 1e9,
                      .elementwise_bytes_per_second = 4e9,
                      .node_seconds = 2e-6};
    device.micro = MicroMeasurements{.speeds = {speed}, .engine = "fake 1.0"};
    CHECK(store.SaveDevice(device).ok());
    return device;
  }
};

}  // namespace mete
