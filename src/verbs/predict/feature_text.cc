#include "predict/feature_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "support/units.h"

namespace mete {
namespace {

// What a column holds; see latency_features.cc.
enum class ColumnScale {
  kPlain,    // the value
  kShare,    // from 0 to 1
  kLog2,     // log2 of the value
  kCount,    // log2 of 1 + the value
  kBytes,    // log2 of 1 + bytes
  kSeconds,  // log2 of seconds
};

struct ColumnText {
  std::string_view name;
  std::string_view label;
  ColumnScale scale = ColumnScale::kLog2;
};

constexpr std::array<ColumnText, 27> kColumnTexts = {{
    {"roofline", "roofline time", ColumnScale::kSeconds},
    {"overhead_share", "share of overhead", ColumnScale::kShare},
    {"operations_per_byte", "operations per byte"},
    {"weight_bytes", "size of the weights", ColumnScale::kBytes},
    {"activation_bytes", "size of the activations", ColumnScale::kBytes},
    {"peak_activation_bytes", "peak size of the activations",
     ColumnScale::kBytes},
    {"input_bytes", "input size", ColumnScale::kBytes},
    {"output_bytes", "output size", ColumnScale::kBytes},
    {"nodes", "nodes", ColumnScale::kCount},
    {"nodes_over_depth", "nodes per level"},
    {"batch", "batch size"},
    {"memory_headroom", "memory over the memory needed"},
    {"load", "load", ColumnScale::kShare},
    {"cpus", "CPUs"},
    {"threads", "threads", ColumnScale::kPlain},
    {"threads_per_cpu", "threads per CPU"},
    {"conv_over_gemm", "speed of convolutions over gemm"},
    {"depthwise_over_gemm", "speed of depthwise convolutions over gemm"},
    {"flops_over_bytes", "operations per byte of memory bandwidth"},
    {"node_flops", "operations per node"},
    {"conv_layers", "convolutional layers", ColumnScale::kCount},
    {"pool_layers", "pooling layers", ColumnScale::kCount},
    {"fc_layers", "fully connected layers", ColumnScale::kCount},
    {"filter_details", "filters", ColumnScale::kCount},
    {"total_parameters", "parameters", ColumnScale::kCount},
    {"model_input_size", "input size", ColumnScale::kBytes},
    {"model_output_size", "output size", ColumnScale::kBytes},
}};

// Columns of one class of work; their names begin with the class.
constexpr std::array<ColumnText, 6> kClassTexts = {{
    {"_share", "share of the time", ColumnScale::kShare},
    {"_nodes", "nodes", ColumnScale::kCount},
    {"_work", "operations per node", ColumnScale::kCount},
    {"_depth", "length of the sums"},
    {"_channels", "channels"},
    {"_positions", "positions"},
}};

// The label begins with the class of work, if there is one: "gemm nodes".
struct LabelledColumn {
  std::string label;
  ColumnScale scale = ColumnScale::kPlain;
};

LabelledColumn FindColumnText(const FeatureColumn& column) {
  for (const ColumnText& text : kColumnTexts) {
    if (column.name == text.name) return {std::string(text.label), text.scale};
  }
  for (const ColumnText& text : kClassTexts) {
    if (!column.name.ends_with(text.name)) continue;
    std::string work =
        column.name.substr(0, column.name.size() - text.name.size());
    return {work + " " + std::string(text.label), text.scale};
  }
  return {column.name, ColumnScale::kPlain};
}

// Without the noise that a logarithm of a whole number leaves: 5,
// not 4.9999998.
double Denoised(double value) {
  double whole = std::round(value);
  return std::abs(value - whole) <= 1e-5 * std::abs(value) ? whole : value;
}

}  // namespace

std::string FeatureLabel(const FeatureColumn& column) {
  return FindColumnText(column).label;
}

std::string FeatureValue(const FeatureColumn& column, double value) {
  switch (FindColumnText(column).scale) {
    case ColumnScale::kPlain:
      return fmt::format("{:.3g}", value);
    case ColumnScale::kShare:
      return fmt::format("{:.0f} %", 100 * value);
    case ColumnScale::kLog2:
      return FormatScaled(Denoised(std::exp2(value)));
    case ColumnScale::kCount:
      return FormatScaled(std::max(0.0, std::round(std::exp2(value) - 1)));
    case ColumnScale::kBytes:
      // Descriptions can claim more bytes than a counter can hold.
      return FormatByteCount(
          std::clamp(std::round(std::exp2(value) - 1), 0.0, 1e18));
    case ColumnScale::kSeconds:
      return FormatSeconds(std::exp2(value));
  }
  return "";
}

}  // namespace mete
