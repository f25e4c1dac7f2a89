#include "predict/latency_features.h"

#include <cmath>
#include <functional>
#include <limits>

namespace mete {
namespace {

// Called once a column, in order.
using Sink = std::function<void(const char* name, const char* unit,
                                double value, int monotone)>;

double Log2(double value) { return std::log2(1 + std::max(0.0, value)); }
// Of rates and times, which are never near 1.
double Log2Rate(double value) { return std::log2(std::max(value, 1e-12)); }

double Log2Count(const std::optional<double>& value) {
  return value ? Log2(*value) : std::numeric_limits<double>::quiet_NaN();
}

// What tells devices apart. Ratios of speeds: the speeds themselves are in the
// estimate the trees correct.
void DeviceColumns(const DeviceConditions& device, const Sink& sink) {
  const EngineSpeed& speed = device.speed;
  double gemm = std::max(speed.gemm_flops_per_second, 1.0);
  sink("load", "share", device.load, 1);
  sink("cpus", "log2 CPUs", Log2Rate(device.cpus), 0);
  sink("threads", "1", device.threads, 0);
  sink("threads_per_cpu", "log2", Log2Rate(device.threads / device.cpus), 0);
  sink("conv_over_gemm", "log2", Log2Rate(speed.conv_flops_per_second / gemm),
       0);
  sink("depthwise_over_gemm", "log2",
       Log2Rate(speed.depthwise_flops_per_second / gemm), 0);
  sink("flops_over_bytes", "log2 operations per byte",
       Log2Rate(gemm / std::max(speed.elementwise_bytes_per_second, 1.0)), 0);
  sink("node_flops", "log2 operations", Log2Rate(speed.node_seconds * gemm), 0);
}

void ClassColumns(const NetworkTraits& network, WorkClass which,
                  const RooflineTerms& terms, double whole, const Sink& sink) {
  const ClassWork& work = network.Of(which);
  std::string name(NameOf(which));
  auto column = [&](const char* suffix) { return name + suffix; };
  sink(column("_share").c_str(), "share",
       terms[static_cast<size_t>(which)] / whole, 0);
  sink(column("_nodes").c_str(), "log2", Log2(work.nodes), 0);
  if (which > WorkClass::kRnn) return;
  sink(column("_work").c_str(), "log2 operations per node",
       Log2(work.flops / std::max(1.0, work.nodes)), 0);
  sink(column("_depth").c_str(), "log2", work.log_depth, 0);
  sink(column("_channels").c_str(), "log2", work.log_channels, 0);
  sink(column("_positions").c_str(), "log2", work.log_positions, 0);
}

void FullColumns(const NetworkTraits& network, const DeviceConditions& device,
                 const Sink& sink) {
  RooflineTerms terms = TermsOf(network, device.speed);
  double whole = 1e-12;
  for (double term : terms) whole += term;
  sink("roofline", "log2 seconds", Log2Rate(whole), 0);
  sink("overhead_share", "share", terms[kOverheadTerm] / whole, 0);
  for (size_t i = 0; i < kWorkClasses; ++i) {
    ClassColumns(network, static_cast<WorkClass>(i), terms, whole, sink);
  }
  double bytes = network.weight_bytes + network.activation_bytes;
  sink("operations_per_byte", "log2",
       Log2Rate(network.flops / std::max(1.0, bytes)), 0);
  sink("weight_bytes", "log2 bytes", Log2(network.weight_bytes), 0);
  sink("activation_bytes", "log2 bytes", Log2(network.activation_bytes), 0);
  sink("peak_activation_bytes", "log2 bytes",
       Log2(network.peak_activation_bytes), 0);
  sink("input_bytes", "log2 bytes", Log2(network.input_bytes), 0);
  sink("output_bytes", "log2 bytes", Log2(network.output_bytes), 0);
  sink("nodes", "log2", Log2(network.nodes), 0);
  sink("nodes_over_depth", "log2",
       Log2Rate(network.nodes / std::max(1.0, network.depth)), 0);
  sink("batch", "log2", Log2Rate(static_cast<double>(network.batch)), 0);
  double needed = network.weight_bytes + network.peak_activation_bytes;
  sink("memory_headroom", "log2",
       device.ram_bytes ? Log2Rate(*device.ram_bytes / std::max(1.0, needed))
                        : std::numeric_limits<double>::quiet_NaN(),
       0);
  DeviceColumns(device, sink);
}

void CountColumns(const NetworkCounts& counts, const DeviceConditions& device,
                  const Sink& sink) {
  sink("conv_layers", "log2", Log2Count(counts.conv_layers), 0);
  sink("pool_layers", "log2", Log2Count(counts.pool_layers), 0);
  sink("fc_layers", "log2", Log2Count(counts.fc_layers), 0);
  sink("filter_details", "log2", Log2Count(counts.filter_details), 0);
  sink("total_parameters", "log2", Log2Count(counts.total_parameters), 0);
  sink("model_input_size", "log2 bytes", Log2Count(counts.input_bytes), 0);
  sink("model_output_size", "log2 bytes", Log2Count(counts.output_bytes), 0);
  DeviceColumns(device, sink);
}

void Visit(FeatureKind kind, const NetworkQuestion& question,
           const DeviceConditions& conditions, const Sink& sink) {
  if (kind == FeatureKind::kFull) {
    static const NetworkTraits kNothing;
    FullColumns(question.traits ? *question.traits : kNothing, conditions,
                sink);
  } else {
    CountColumns(question.counts, conditions, sink);
  }
}

// Columns of one class of work.
bool OfOneClass(const std::string& column) {
  for (size_t i = 0; i < kWorkClasses; ++i) {
    std::string prefix(NameOf(static_cast<WorkClass>(i)));
    if (column.starts_with(prefix + "_")) return true;
  }
  return false;
}

std::vector<FeatureColumn> Collect(FeatureKind kind) {
  std::vector<FeatureColumn> columns;
  Visit(kind, {}, {}, [&](const char* name, const char* unit, double, int m) {
    columns.push_back({name, unit, m, OfOneClass(name)});
  });
  return columns;
}

}  // namespace

const std::vector<FeatureColumn>& FeatureColumns(FeatureKind kind) {
  static const std::vector<FeatureColumn> full = Collect(FeatureKind::kFull);
  static const std::vector<FeatureColumn> counts =
      Collect(FeatureKind::kCounts);
  return kind == FeatureKind::kFull ? full : counts;
}

std::vector<float> FeatureRow(FeatureKind kind, const NetworkQuestion& question,
                              const DeviceConditions& conditions) {
  std::vector<float> row;
  row.reserve(FeatureColumns(kind).size());
  Visit(kind, question, conditions,
        [&](const char*, const char*, double value, int) {
          row.push_back(static_cast<float>(value));
        });
  return row;
}

}  // namespace mete
