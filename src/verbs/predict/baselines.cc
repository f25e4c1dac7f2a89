#include "predict/baselines.h"

#include <cmath>
#include <map>
#include <memory>

namespace mete {
namespace {

struct Sums {
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;

  void Add(double load, double value) {
    n += 1;
    x += load;
    y += value;
    xx += load * load;
    xy += load * value;
  }
  // The least-squares line at a load. Returns the mean when all loads are
  // equal.
  double At(double load) const {
    double spread = xx - x * x / n;
    double slope = spread > 1e-9 ? (xy - x * y / n) / spread : 0;
    return y / n + slope * (load - x / n);
  }
};

Result<RowAnswer> FitMean(const TrainRequest& request,
                          std::span<const size_t> chosen) {
  auto devices = std::make_shared<std::map<std::string, Sums>>();
  Sums all;
  for (size_t row : chosen) {
    double value = *TargetFor(request, request.rows[row]);
    (*devices)[request.rows[row].device].Add(0, value);
    all.Add(0, value);
  }
  return RowAnswer([devices, all](const LatencyRow& row) {
    auto found = devices->find(row.device);
    return std::optional(found == devices->end() ? all.At(0)
                                                 : found->second.At(0));
  });
}

std::string PairKey(const LatencyRow& row) {
  return NetworkKey(row) + "@" + row.device;
}

Result<RowAnswer> FitLine(const TrainRequest& request,
                          std::span<const size_t> chosen) {
  auto pairs = std::make_shared<std::map<std::string, Sums>>();
  for (size_t i : chosen) {
    const LatencyRow& row = request.rows[i];
    (*pairs)[PairKey(row)].Add(row.load.value_or(0), *TargetFor(request, row));
  }
  return RowAnswer([pairs](const LatencyRow& row) -> std::optional<double> {
    auto found = pairs->find(PairKey(row));
    if (found == pairs->end()) return std::nullopt;
    return std::max(1e-9, found->second.At(row.load.value_or(0)));
  });
}

// The PEPPER profiler numbers devices in the order it first sees them and
// treats an unknown one as the first. Its tenth column, disk usage, is left out
// because it is the same on every device here.
struct PredecessorTrees {
  std::map<std::string, float> devices;
  FlatTrees trees;

  std::vector<float> Row(const LatencyRow& row) const {
    const LegacyCounts& counts = row.network.counts;
    auto device = devices.find(row.device);
    return {static_cast<float>(counts.conv_layers),
            static_cast<float>(std::floor(100 * row.load.value_or(0))),
            static_cast<float>(row.network.input_bytes),
            static_cast<float>(row.network.output_bytes),
            static_cast<float>(counts.filter_details),
            static_cast<float>(counts.fc_layers),
            device == devices.end() ? 0 : device->second,
            static_cast<float>(counts.pool_layers),
            static_cast<float>(counts.total_parameters)};
  }
};

Result<RowAnswer> FitPredecessor(const TrainRequest& request,
                                 std::span<const size_t> chosen) {
  auto fitted = std::make_shared<PredecessorTrees>();
  FeatureTable table{.columns = {"conv_layers", "device_load_percent",
                                 "disk_io_read_bytes", "disk_io_write_bytes",
                                 "filter_details", "fully_conn_layers",
                                 "device", "pool_layers", "total_parameters"}};
  std::vector<float> target;
  for (size_t i : chosen) {
    const LatencyRow& row = request.rows[i];
    fitted->devices.try_emplace(row.device,
                                static_cast<float>(fitted->devices.size()));
    table.AddRow(fitted->Row(row));
    target.push_back(static_cast<float>(*TargetFor(request, row)));
  }
  ASSIGN_OR_RETURN(
      fitted->trees,
      TrainTrees({.table = table, .target = target},
                 {.trees = 145, .depth = 6, .learning_rate = 0.1}));
  return RowAnswer([fitted](const LatencyRow& row) {
    return std::optional<double>(fitted->trees.Predict(fitted->Row(row)));
  });
}

std::optional<double> PlainRoofline(const LatencyRow& row) {
  std::optional<DeviceConditions> conditions = ConditionsFor(row);
  if (!conditions) return std::nullopt;
  return Roofline().Seconds(ComputeTerms(row.network, conditions->speed),
                            Slowdown(*conditions));
}

Result<RowAnswer> FitRooflineAlone(const TrainRequest& request,
                                   std::span<const size_t> chosen) {
  double factor = RooflineFactor(request, chosen);
  return RowAnswer([factor](const LatencyRow& row) -> std::optional<double> {
    std::optional<double> plain = PlainRoofline(row);
    if (!plain) return std::nullopt;
    return factor * *plain;
  });
}

}  // namespace

double RooflineFactor(const TrainRequest& request,
                      std::span<const size_t> chosen) {
  double logs = 0;
  double count = 0;
  for (size_t i : chosen) {
    std::optional<double> plain = PlainRoofline(request.rows[i]);
    if (!plain) continue;
    logs += std::log(*TargetFor(request, request.rows[i]) / *plain);
    count += 1;
  }
  return count > 0 ? std::exp(logs / count) : 1;
}

std::vector<Baseline> LatencyBaselines() {
  return {{"mean of the device", FitMean},
          {"linear in load", FitLine},
          {"PEPPER's columns", FitPredecessor},
          {kRooflineBaseline, FitRooflineAlone}};
}

}  // namespace mete
