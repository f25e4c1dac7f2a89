// Rows that follow a known law, for tests of predictors.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "domain/latency_row.h"
#include "learn/boosted_trees.h"
#include "predict/roofline.h"
#include "support/random.h"

namespace mete {

// `speed` times as fast as a device of 10 Gflop/s.
inline EngineSpeed TestSpeed(double speed) {
  return {.threads = 1,
          .gemm_flops_per_second = 10e9 * speed,
          .conv_flops_per_second = 8e9 * speed,
          .depthwise_flops_per_second = 1e9 * speed,
          .elementwise_bytes_per_second = 4e9 * speed,
          .node_seconds = 2e-6 / speed};
}

inline NetworkTraits TestNetwork(uint64_t number) {
  Random random(number);
  NetworkTraits network;
  network.name = "net-" + std::to_string(number);
  network.sha256 = network.name;
  double size = std::exp2(20 + 10 * random.Uniform());
  for (WorkClass which : {WorkClass::kPointwise, WorkClass::kSpatial,
                          WorkClass::kGemm, WorkClass::kElementwise}) {
    ClassWork& work = network.work[static_cast<size_t>(which)];
    work.nodes = 1 + static_cast<double>(random.Below(30));
    work.macs = size * random.Uniform();
    work.flops = 2 * work.macs;
    work.bytes = work.macs / 20;
    network.nodes += work.nodes;
    network.macs += work.macs;
    network.flops += work.flops;
    network.activation_bytes += work.bytes;
  }
  network.counts.conv_layers =
      static_cast<uint64_t>(network.Of(WorkClass::kPointwise).nodes +
                            network.Of(WorkClass::kSpatial).nodes);
  network.counts.filter_details = network.counts.conv_layers * 64;
  network.counts.total_parameters = static_cast<uint64_t>(size / 100);
  network.weight_bytes = size / 25;
  network.peak_activation_bytes = network.activation_bytes / 5;
  network.depth = network.nodes / 2;
  network.input_bytes = 1000 + size / 1000;
  network.output_bytes = 4000;
  return network;
}

// Quick to grow, good enough for the law.
inline TreeSettings TestTrees() {
  return {.trees = 60,
          .depth = 4,
          .learning_rate = 0.15,
          .lambda = 2,
          .min_child_weight = 3};
}

// 1x1 convolutions run at half of what the rates promise, 3x3 ones at 1.5
// times, everything at 1 / (1 - load), with 2 % noise.
inline double TestLaw(const LatencyRow& row) {
  DeviceConditions conditions = *ConditionsFor(row);
  RooflineTerms terms = ComputeTerms(row.network, conditions.speed);
  terms[static_cast<size_t>(WorkClass::kPointwise)] *= 2;
  terms[static_cast<size_t>(WorkClass::kSpatial)] /= 1.5;
  double sum = 0;
  for (double term : terms) sum += term;
  return sum * Slowdown(conditions);
}

// The networks, devices and loads of TestRows; every combination is a row.
struct TestRowsRequest {
  size_t networks = 40;
  std::vector<double> speeds = {1, 0.5, 0.25};
  std::vector<double> loads = {0, 0.3, 0.6};
};

inline std::vector<LatencyRow> TestRows(const TestRowsRequest& request = {}) {
  std::vector<LatencyRow> rows;
  Random random(99);
  for (size_t network = 0; network < request.networks; ++network) {
    for (double speed : request.speeds) {
      for (double load : request.loads) {
        LatencyRow row;
        row.network = TestNetwork(network);
        row.device = "device-" + std::to_string(speed);
        row.architecture = "x86_64";
        row.cpus = speed;
        row.threads = 1;
        row.cores = 1;
        row.ram_bytes = 1e9;
        row.one_thread = TestSpeed(speed);
        row.all_threads = TestSpeed(speed);
        row.load_asked = load;
        row.load = load + 0.02 * random.Uniform();
        row.engine = "onnxruntime 1.22.0";
        row.iterations = 100;
        row.seconds = TestLaw(row) * std::exp(0.02 * random.Normal());
        rows.push_back(std::move(row));
      }
    }
  }
  return rows;
}

}  // namespace mete
