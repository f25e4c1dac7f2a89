#include "predict/conditions.h"

#include <fmt/format.h>

#include <algorithm>

#include "support/units.h"

namespace mete {
namespace {

// Typical values of boards and servers of the last ten years.
constexpr double kUsualFrequency = 2e9;
constexpr double kUsualBandwidth = 4e9;    // bytes per second of one core
constexpr double kUsualNodeCycles = 8000;  // for one tiny operator

// Single-precision operations per cycle and core in a convolution of a good
// engine: half of what the vector units could do.
double OperationsPerCycle(const std::string& architecture) {
  if (architecture == "x86_64") return 16;
  if (architecture == "aarch64") return 6;
  return 2;
}

const EngineSpeed* SpeedAt(const MicroMeasurements& micro, int threads) {
  for (const EngineSpeed& speed : micro.speeds) {
    if (speed.threads == threads) return &speed;
  }
  return micro.speeds.empty() ? nullptr : &micro.speeds.back();
}

}  // namespace

std::string DescribeAssumption(const DeviceFacts& facts) {
  std::string clock =
      facts.max_frequency_hz
          ? fmt::format(" at {:.3g} GHz", *facts.max_frequency_hz / 1e9)
          : " (clock unknown)";
  std::string core =
      facts.architecture.empty() ? "core" : facts.architecture + " core";
  return Counted(static_cast<uint64_t>(facts.cores), core) + clock;
}

EngineSpeed AssumedSpeed(const DeviceFacts& facts, double cpus, int threads) {
  double frequency = facts.max_frequency_hz.value_or(kUsualFrequency);
  double parallel = std::min(cpus, static_cast<double>(threads));
  double gemm = OperationsPerCycle(facts.architecture) * frequency * parallel;
  return {
      .threads = threads,
      .gemm_flops_per_second = gemm,
      .conv_flops_per_second = gemm * 0.8,
      .depthwise_flops_per_second = gemm * 0.15,
      .elementwise_bytes_per_second = kUsualBandwidth * parallel,
      .node_seconds = kUsualNodeCycles / frequency / std::min(1.0, parallel)};
}

std::optional<DeviceConditions> ConditionsFor(const LatencyRow& row) {
  const std::optional<EngineSpeed>& speed =
      row.threads > 1 ? row.all_threads : row.one_thread;
  if (!speed) return std::nullopt;
  return DeviceConditions{.cpus = row.cpus,
                          .threads = row.threads,
                          .ram_bytes = row.ram_bytes,
                          .speed = *speed,
                          .load = row.load.value_or(0)};
}

std::optional<DeviceConditions> ConditionsFor(const ClusterNode& node) {
  DeviceConditions conditions;
  conditions.cpus = node.facts.cores;
  if (node.limits && node.limits->cpus) {
    conditions.cpus = static_cast<double>(node.limits->cpus->count) / 1000;
  }
  if (conditions.cpus <= 0) return std::nullopt;
  conditions.threads = std::max(1, node.facts.cores);
  if (node.limits && node.limits->threads) {
    conditions.threads = *node.limits->threads;
  }
  if (node.facts.ram.count > 0) {
    conditions.ram_bytes = static_cast<double>(node.facts.ram.count);
  }
  conditions.load = std::clamp(node.load.value_or(0), 0.0, 1.0);
  const EngineSpeed* measured =
      node.micro ? SpeedAt(*node.micro, conditions.threads) : nullptr;
  if (measured != nullptr) {
    conditions.speed = *measured;
  } else {
    conditions.speed =
        AssumedSpeed(node.facts, conditions.cpus, conditions.threads);
    conditions.assumed = true;
  }
  return conditions;
}

}  // namespace mete
