#include "predict/latency_features.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mete {
namespace {

// Argument of a sink, which is called once per column, in order. The name comes
// in two parts, so that rows, which need no names, do not build any.
struct ColumnValue {
  std::string_view work_class;  // "" for columns of the whole network
  const char* name;
  const char* unit;
  double value;
  int monotone = 0;
};

double Log2(double value) { return std::log2(1 + std::max(0.0, value)); }
// Log of rates and times, which are never near 1.
double Log2Rate(double value) { return std::log2(std::max(value, 1e-12)); }

double Log2Count(const std::optional<double>& value) {
  return value ? Log2(*value) : std::numeric_limits<double>::quiet_NaN();
}

// Columns of the device. They are ratios of speeds, since the speeds themselves
// are in the estimate that the trees correct.
template <typename Sink>
void DeviceColumns(const DeviceConditions& device, const Sink& sink) {
  const EngineSpeed& speed = device.speed;
  double gemm = std::max(speed.gemm_flops_per_second, 1.0);
  sink({"", "load", "share", device.load, 1});
  sink({"", "cpus", "log2 CPUs", Log2Rate(device.cpus)});
  sink({"", "threads", "1", static_cast<double>(device.threads)});
  sink({"", "threads_per_cpu", "log2", Log2Rate(device.threads / device.cpus)});
  sink({"", "conv_over_gemm", "log2",
        Log2Rate(speed.conv_flops_per_second / gemm)});
  sink({"", "depthwise_over_gemm", "log2",
        Log2Rate(speed.depthwise_flops_per_second / gemm)});
  sink({"", "flops_over_bytes", "log2 operations per byte",
        Log2Rate(gemm / std::max(speed.elementwise_bytes_per_second, 1.0))});
  sink({"", "node_flops", "log2 operations",
        Log2Rate(speed.node_seconds * gemm)});
}

template <typename Sink>
void ClassColumns(const NetworkTraits& network, WorkClass which,
                  const RooflineTerms& terms, double whole, const Sink& sink) {
  const ClassWork& work = network.Of(which);
  auto add = [&](const char* name, const char* unit, double value) {
    sink({ToString(which), name, unit, value});
  };
  add("_share", "share", terms[static_cast<size_t>(which)] / whole);
  add("_nodes", "log2", Log2(work.nodes));
  if (which > WorkClass::kRnn) return;
  add("_work", "log2 operations per node",
      Log2(work.flops / std::max(1.0, work.nodes)));
  add("_depth", "log2", work.log_depth);
  add("_channels", "log2", work.log_channels);
  add("_positions", "log2", work.log_positions);
}

template <typename Sink>
void FullColumns(const NetworkTraits& network, const DeviceConditions& device,
                 const Sink& sink) {
  RooflineTerms terms = ComputeTerms(network, device.speed);
  double whole = 1e-12;
  for (double term : terms) whole += term;
  sink({"", "roofline", "log2 seconds", Log2Rate(whole)});
  sink({"", "overhead_share", "share", terms[kOverheadTerm] / whole});
  for (size_t i = 0; i < kWorkClasses; ++i) {
    ClassColumns(network, static_cast<WorkClass>(i), terms, whole, sink);
  }
  double bytes = network.weight_bytes + network.activation_bytes;
  sink({"", "operations_per_byte", "log2",
        Log2Rate(network.flops / std::max(1.0, bytes))});
  sink({"", "weight_bytes", "log2 bytes", Log2(network.weight_bytes)});
  sink({"", "activation_bytes", "log2 bytes", Log2(network.activation_bytes)});
  sink({"", "peak_activation_bytes", "log2 bytes",
        Log2(network.peak_activation_bytes)});
  sink({"", "input_bytes", "log2 bytes", Log2(network.input_bytes)});
  sink({"", "output_bytes", "log2 bytes", Log2(network.output_bytes)});
  sink({"", "nodes", "log2", Log2(network.nodes)});
  sink({"", "nodes_over_depth", "log2",
        Log2Rate(network.nodes / std::max(1.0, network.depth))});
  sink({"", "batch", "log2", Log2Rate(static_cast<double>(network.batch))});
  double needed = network.weight_bytes + network.peak_activation_bytes;
  sink({"", "memory_headroom", "log2",
        device.ram_bytes ? Log2Rate(*device.ram_bytes / std::max(1.0, needed))
                         : std::numeric_limits<double>::quiet_NaN()});
  DeviceColumns(device, sink);
}

template <typename Sink>
void CountColumns(const NetworkCounts& counts, const Sink& sink) {
  sink({"", "conv_layers", "log2", Log2Count(counts.conv_layers)});
  sink({"", "pool_layers", "log2", Log2Count(counts.pool_layers)});
  sink({"", "fc_layers", "log2", Log2Count(counts.fc_layers)});
  sink({"", "filter_details", "log2", Log2Count(counts.filter_details)});
  sink({"", "total_parameters", "log2", Log2Count(counts.total_parameters)});
  sink({"", "model_input_size", "log2 bytes", Log2Count(counts.input_bytes)});
  sink({"", "model_output_size", "log2 bytes", Log2Count(counts.output_bytes)});
}

template <typename Sink>
void Visit(FeatureKind kind, const NetworkQuestion& question,
           const DeviceConditions& conditions, const Sink& sink) {
  if (kind == FeatureKind::kFull) {
    static const NetworkTraits kNothing;
    FullColumns(question.traits ? *question.traits : kNothing, conditions,
                sink);
  } else {
    CountColumns(question.counts, sink);
    DeviceColumns(conditions, sink);
  }
}

// Whether a column of FullColumns depends on the speed or the memory of the
// device.
bool IsMixed(std::string_view name) {
  return name == "roofline" || name == "memory_headroom" ||
         name.ends_with("_share");
}

std::vector<FeatureColumn> Collect(FeatureKind kind) {
  std::vector<std::string_view> device_columns;
  DeviceColumns({}, [&](const ColumnValue& column) {
    device_columns.push_back(column.name);
  });
  std::vector<FeatureColumn> columns;
  Visit(kind, {}, {}, [&](const ColumnValue& column) {
    bool of_device =
        IsMixed(column.name) ||
        std::ranges::find(device_columns, column.name) != device_columns.end();
    columns.push_back({.name = std::string(column.work_class) + column.name,
                       .unit = column.unit,
                       .monotone = column.monotone,
                       .zero_is_none = !column.work_class.empty(),
                       .of_device = of_device});
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
  Visit(kind, question, conditions, [&](const ColumnValue& column) {
    row.push_back(static_cast<float>(column.value));
  });
  return row;
}

FeatureTable FeatureRows(FeatureKind kind, const NetworkQuestion& question,
                         std::span<const DeviceConditions> devices) {
  FeatureTable table;
  table.columns.resize(FeatureColumns(kind).size());
  table.cells.reserve(devices.size() * table.columns.size());
  auto add = [&table](const ColumnValue& column) {
    table.cells.push_back(static_cast<float>(column.value));
  };
  if (kind == FeatureKind::kFull) {
    for (const DeviceConditions& device : devices) {
      Visit(kind, question, device, add);
    }
    return table;
  }
  // The network's columns are the same on every device.
  std::vector<float> counts;
  CountColumns(question.counts, [&counts](const ColumnValue& column) {
    counts.push_back(static_cast<float>(column.value));
  });
  for (const DeviceConditions& device : devices) {
    table.AddRow(counts);
    DeviceColumns(device, add);
  }
  return table;
}

}  // namespace mete
