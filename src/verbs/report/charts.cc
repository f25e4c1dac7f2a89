#include "report/charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>
#include <string_view>

#include "support/json.h"
#include "support/units.h"

namespace mete {
namespace {

using Column = SampleTable::Column;

// How a column becomes a curve.
enum class Reading {
  kLevel,     // unchanged; the highest of the rows that share a point
  kAverage,   // unchanged; the mean of the rows that share a point
  kSpeed,     // increase per second
  kOwnSpeed,  // the same, for a total that is 0 at the start of the run
};

struct Series {
  const char* column;
  const char* label;
  Reading reading;
};

struct Chart {
  const char* title;
  const char* unit;
  std::vector<Series> series;
};

// Titles of the charts that show limits.
constexpr const char* kCpuTitle = "CPU cores in use";
constexpr const char* kMemoryTitle = "Memory";

const std::vector<Chart>& Charts() {
  static const std::vector<Chart> charts = {
      {kCpuTitle,
       "cores",
       {{"cpu_seconds", "application", Reading::kOwnSpeed},
        {"machine_cores", "whole machine", Reading::kAverage}}},
      {kMemoryTitle,
       "bytes",
       {{"memory_bytes", "memory", Reading::kLevel},
        {"anonymous_bytes", "anonymous", Reading::kLevel},
        {"file_bytes", "files", Reading::kLevel},
        {"kernel_bytes", "kernel", Reading::kLevel},
        {"swap_bytes", "swap", Reading::kLevel}}},
      {"Time throttled by the CPU limit",
       "share",
       {{"throttled_seconds", "throttled", Reading::kOwnSpeed}}},
      {"Latency", "seconds", {{"latency_seconds", "latency", Reading::kLevel}}},
      {"Disk",
       "bytes/s",
       {{"read_bytes", "read", Reading::kOwnSpeed},
        {"written_bytes", "written", Reading::kOwnSpeed}}},
      {"Network of the application",
       "bytes/s",
       {{"received_bytes", "received", Reading::kOwnSpeed},
        {"sent_bytes", "sent", Reading::kOwnSpeed}}},
      {"Network of the whole machine",
       "bytes/s",
       {{"machine_received_bytes", "received", Reading::kSpeed},
        {"machine_sent_bytes", "sent", Reading::kSpeed}}},
      {"Waiting on the whole machine (pressure)",
       "share",
       {{"cpu_stalled_seconds", "for CPU", Reading::kSpeed},
        {"memory_stalled_seconds", "for memory", Reading::kSpeed},
        {"io_stalled_seconds", "for disk", Reading::kSpeed}}},
      {"Temperature", "celsius", {{"celsius", "hottest", Reading::kLevel}}},
      {"Clock of the cores", "hertz", {{"hertz", "mean", Reading::kAverage}}},
      {"Power of the whole machine",
       "watts",
       {{"energy_joules", "power", Reading::kOwnSpeed}}},
      {"GPU memory of the application",
       "bytes",
       {{"gpu_memory_bytes", "memory", Reading::kLevel}}}};
  return charts;
}

// Maps rows to points: in a long series, several rows share a point.
class Points {
 public:
  explicit Points(const SampleTable& samples)
      : time_(samples.Find("time_seconds")),
        rows_(time_ == nullptr ? 0 : samples.rows()),
        stride_(std::max<size_t>(1, (rows_ + kMostPoints - 1) / kMostPoints)) {}

  size_t count() const { return rows_ / stride_; }

  Json Times() const {
    Json times = Json::array();
    for (size_t i = 0; i < count(); ++i) times.push_back(Time(Last(i)));
    return times;
  }

  std::optional<double> At(size_t point, const Column& column,
                           Reading reading) const {
    if (reading == Reading::kOwnSpeed && point == 0) return FromStart(column);
    if (reading == Reading::kSpeed || reading == Reading::kOwnSpeed) {
      return Speed(point, column);
    }
    double sum = 0;
    double most = 0;
    size_t seen = 0;
    for (size_t row = point * stride_; row <= Last(point); ++row) {
      if (!column[row]) continue;
      most = seen == 0 ? *column[row] : std::max(most, *column[row]);
      sum += *column[row];
      ++seen;
    }
    if (seen == 0) return std::nullopt;
    return reading == Reading::kLevel ? most : sum / static_cast<double>(seen);
  }

 private:
  size_t Last(size_t point) const { return (point + 1) * stride_ - 1; }
  double Time(size_t row) const { return (*time_)[row].value_or(0); }

  std::optional<double> FromStart(const Column& column) const {
    const auto& now = column[Last(0)];
    if (!now || Time(Last(0)) <= 0) return std::nullopt;
    return *now / Time(Last(0));
  }

  // Between the last rows of two neighbouring points. Before the first point
  // there is no total to compare with.
  std::optional<double> Speed(size_t point, const Column& column) const {
    if (point == 0) return std::nullopt;
    const auto& before = column[Last(point - 1)];
    const auto& now = column[Last(point)];
    double passed = Time(Last(point)) - Time(Last(point - 1));
    if (!before || !now || passed <= 0) return std::nullopt;
    return std::max(0.0, *now - *before) / passed;
  }

  const Column* time_;
  size_t rows_;
  size_t stride_;
};

// Five digits are more than a chart shows, and halve the size of a page.
Json NumberOrNull(const std::optional<double>& value) {
  if (!value || !std::isfinite(*value)) return nullptr;
  if (*value == 0) return 0.0;
  double unit = std::pow(10, std::floor(std::log10(std::abs(*value))) - 4);
  return unit >= 1 ? std::round(*value / unit) * unit
                   : std::round(*value / unit) / std::round(1 / unit);
}

// The curve, or nothing when it is always zero.
std::optional<Json> Curve(const SampleTable& samples, const Points& points,
                          const Series& series) {
  const Column* column = samples.Find(series.column);
  if (column == nullptr) return std::nullopt;
  Json values = Json::array();
  bool meaningful = false;
  for (size_t i = 0; i < points.count(); ++i) {
    auto value = points.At(i, *column, series.reading);
    meaningful = meaningful || (value && *value > 0);
    values.push_back(NumberOrNull(value));
  }
  if (!meaningful) return std::nullopt;
  Json curve;
  curve["label"] = series.label;
  curve["values"] = std::move(values);
  return curve;
}

void AddLimit(const Limits& limits, std::string_view title, Json& chart) {
  if (title == kMemoryTitle && limits.memory) {
    chart["limit"]["value"] = limits.memory->count;
    chart["limit"]["label"] = "limit " + FormatBytes(*limits.memory);
  }
  if (title == kCpuTitle && limits.cpus) {
    chart["limit"]["value"] = static_cast<double>(limits.cpus->count) / 1e3;
    chart["limit"]["label"] = "limit";
  }
}

// A quantity of one GPU. Its column is "gpu0_" and the name.
struct GpuQuantity {
  const char* column;
  const char* title;
  const char* unit;
  Reading reading;
};
constexpr std::array<GpuQuantity, 5> kGpuQuantities = {
    {{"utilization", "in use", "share", Reading::kAverage},
     {"memory_bytes", "memory", "bytes", Reading::kLevel},
     {"watts", "power", "watts", Reading::kAverage},
     // For GPUs that report only total energy. Watts, if present, show the
     // same.
     {"joules", "power", "watts", Reading::kSpeed},
     {"celsius", "temperature", "celsius", Reading::kLevel}}};

// The indices of the GPUs that have columns.
std::set<int> FindGpus(const SampleTable& samples) {
  std::set<int> gpus;
  for (const std::string& name : samples.names()) {
    int number = 0;
    const char* end = name.data() + name.size();
    if (!name.starts_with("gpu")) continue;
    auto [rest, error] = std::from_chars(name.data() + 3, end, number);
    if (error == std::errc() && rest != end && *rest == '_') {
      gpus.insert(number);
    }
  }
  return gpus;
}

// One chart per quantity and GPU.
void AddGpuCharts(const SampleTable& samples, const Points& points,
                  Json& charts) {
  for (int gpu : FindGpus(samples)) {
    const char* drawn = "";
    for (const GpuQuantity& quantity : kGpuQuantities) {
      if (std::string_view(quantity.title) == drawn) continue;
      const std::string column = fmt::format("gpu{}_{}", gpu, quantity.column);
      auto curve =
          Curve(samples, points, {column.c_str(), "GPU", quantity.reading});
      if (!curve) continue;
      Json chart;
      chart["title"] = fmt::format("GPU {} {}", gpu, quantity.title);
      chart["unit"] = quantity.unit;
      chart["x"] = points.Times();
      chart["series"].push_back(*std::move(curve));
      charts.push_back(std::move(chart));
      drawn = quantity.title;
    }
  }
}

void AddMetricCharts(const RunCurves& curves, Json& charts) {
  for (const auto& [name, curve] : curves.metrics) {
    if (curve.per_second.size() < 2) continue;
    Json chart;
    chart["title"] = name + " per second";
    chart["unit"] = "1/s";
    Json x = Json::array();
    for (size_t i = 0; i < curve.per_second.size(); ++i) {
      x.push_back(curve.from + static_cast<double>(i) + 0.5);
    }
    chart["x"] = std::move(x);
    Json series;
    series["label"] = name;
    series["values"] = curve.per_second;
    chart["series"].push_back(std::move(series));
    charts.push_back(std::move(chart));
  }
}

void AddCharts(const SampleTable& samples, const Points& points,
               const Limits& limits, Json& charts) {
  for (const Chart& description : Charts()) {
    Json chart;
    chart["title"] = description.title;
    chart["unit"] = description.unit;
    chart["x"] = points.Times();
    chart["series"] = Json::array();
    for (const Series& series : description.series) {
      auto curve = Curve(samples, points, series);
      if (curve) chart["series"].push_back(*std::move(curve));
    }
    if (chart["series"].empty()) continue;
    AddLimit(limits, description.title, chart);
    charts.push_back(std::move(chart));
  }
}

}  // namespace

Json MakeCharts(const RunCurves& curves, const Limits& limits) {
  Json charts = Json::array();
  AddMetricCharts(curves, charts);
  for (const SampleTable* samples : {&curves.latencies, &curves.samples}) {
    Points points(*samples);
    if (points.count() < 2) continue;
    AddCharts(*samples, points, limits, charts);
    AddGpuCharts(*samples, points, charts);
  }
  return charts;
}

}  // namespace mete
