#include "train/calibrate_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "collect/collect_here.h"
#include "collect/latency_table.h"
#include "describe/describe.h"
#include "devices/find_devices.h"
#include "devices/this_device.h"
#include "predict/calibrate.h"
#include "predict/predictor_files.h"
#include "stats/quantile.h"
#include "zoo/sample.h"

namespace mete {
namespace {

// Number of candidates: random networks, which every machine can generate.
constexpr size_t kCandidates = 60;
// Larger networks would take most of the time without adding information.
constexpr double kMostMacs = 1e9;

// A row as if the network had run on the device; used only to choose networks.
Result<LatencyRow> CandidateRow(const NetworkSource& source,
                                const Device& device) {
  NetworkDraft draft = SampleDraft(source.seed, source.index);
  Network network;
  network.graph = draft.graph;
  network.operator_sets = {{"", draft.opset}};
  ASSIGN_OR_RETURN(Characteristics described,
                   Describe(network, {.batch = 1, .layers = true}));
  LatencyRow row;
  ASSIGN_OR_RETURN(row.network, ComputeTraits(described, source.name, 1));
  row.device = device.name;
  row.cpus = UsableCpus(device);
  row.one_thread = device.micro->speeds.front();
  row.all_threads = device.micro->speeds.back();
  row.seconds = 1;
  return row;
}

Result<std::vector<NetworkSource>> ChooseNetworks(const Device& device,
                                                  size_t count) {
  ASSIGN_OR_RETURN(std::vector<NetworkSource> all,
                   FindNetworks(fmt::format("sample:{}", kCandidates), 0));
  std::vector<NetworkSource> candidates;
  std::vector<LatencyRow> rows;
  for (const NetworkSource& source : all) {
    ASSIGN_OR_RETURN(LatencyRow row, CandidateRow(source, device));
    if (row.network.macs > kMostMacs) continue;
    candidates.push_back(source);
    rows.push_back(std::move(row));
  }
  std::vector<NetworkSource> chosen;
  for (size_t row : ChooseCalibrationNetworks(rows, count)) {
    chosen.push_back(candidates[row]);
  }
  return chosen;
}

// The rows of these networks on the device.
Result<std::vector<LatencyRow>> FindRows(
    RunStore& store, const Device& device,
    const std::vector<NetworkSource>& networks) {
  ASSIGN_OR_RETURN(std::vector<LatencyRow> all, LatencyRows(store));
  std::vector<LatencyRow> rows;
  for (LatencyRow& row : all) {
    bool requested =
        row.device == device.name &&
        std::ranges::any_of(networks, [&](const NetworkSource& one) {
          return one.name == row.network.name;
        });
    if (requested) rows.push_back(std::move(row));
  }
  return rows;
}

struct Errors {
  size_t runs = 0;
  double before = 0;  // median relative error
  // the same, when corrected with runs of other networks only
  double after = 0;
};

double RelativeError(double predicted, const LatencyRow& row) {
  return std::abs(predicted / *row.seconds - 1);
}

Result<Errors> JudgeCalibration(std::shared_ptr<const TreePredictor> base,
                                const std::vector<LatencyRow>& rows) {
  std::vector<double> before;
  std::vector<double> after;
  for (const LatencyRow& row : rows) {
    std::optional<DeviceConditions> conditions = ConditionsFor(row);
    if (!row.seconds || !conditions) continue;
    NetworkQuestion question = ToQuestion(row);
    before.push_back(
        RelativeError(base->Predict(question, *conditions).value, row));
    std::vector<LatencyRow> others = rows;
    std::erase_if(others, [&](const LatencyRow& other) {
      return NetworkKey(other) == NetworkKey(row);
    });
    ASSIGN_OR_RETURN(CalibratedPredictor calibrated,
                     CalibratedPredictor::Fit(base, others));
    after.push_back(
        RelativeError(calibrated.Predict(question, *conditions).value, row));
  }
  return Errors{.runs = before.size(),
                .before = Quantile(before, 0.5).value_or(0),
                .after = Quantile(after, 0.5).value_or(0)};
}

Result<Device> FindCalibrated(const std::string& name,
                              const CollectDependencies& needs,
                              const CollectCallbacks& callbacks,
                              const std::stop_token& stop) {
  ASSIGN_OR_RETURN(Device here,
                   RegisterThisDevice(needs.store, needs.host, needs.clock));
  ASSIGN_OR_RETURN(Device device, FindNamedDevice(needs.store, name));
  if (!IsHere(device, here.id)) {
    return InvalidInput("'" + name + "' is another machine; run mete there");
  }
  if (device.micro) return device;
  return RefreshMeasurements(device, NeedsOfDevices(needs, callbacks), stop);
}

}  // namespace

Result<DeviceCalibration> CalibrateDevice(const CalibrateRequest& request,
                                          const CalibrateDependencies& needs,
                                          const CollectCallbacks& callbacks,
                                          std::stop_token stop) {
  ASSIGN_OR_RETURN(std::shared_ptr<const TreePredictor> base,
                   needs.trained_predictor());
  const CollectDependencies& collecting = needs.collecting;
  ASSIGN_OR_RETURN(Device device,
                   FindCalibrated(request.device, collecting, callbacks, stop));
  ASSIGN_OR_RETURN(std::vector<NetworkSource> networks,
                   ChooseNetworks(device, request.networks));
  RETURN_IF_ERROR(CollectWhole({.networks = networks,
                                .devices = {device},
                                .loads = {0},
                                .time = request.time,
                                .mete_version = request.mete_version},
                               collecting, callbacks, stop));
  ASSIGN_OR_RETURN(std::vector<LatencyRow> rows,
                   FindRows(collecting.store, device, networks));
  auto completed = std::ranges::count_if(
      rows, [](const LatencyRow& row) { return row.seconds.has_value(); });
  if (completed < 2) {
    return Unavailable("calibrate: too few networks completed on " +
                       device.name);
  }
  ASSIGN_OR_RETURN(Errors errors, JudgeCalibration(base, rows));
  DeviceCalibration done{.device = device.name,
                         .runs = errors.runs,
                         .before = errors.before,
                         .after = errors.after};
  if (errors.after < errors.before) {
    ASSIGN_OR_RETURN(done.file, SaveCalibration(needs.folder, rows));
  }
  return done;
}

}  // namespace mete
