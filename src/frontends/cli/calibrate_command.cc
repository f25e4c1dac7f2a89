// mete calibrate: runs a few well-chosen networks on a device the predictor has
// not seen, and corrects the predictor there by what they took.
#include <fmt/format.h>

#include <cmath>

#include "cli/collecting.h"
#include "cli/device_names.h"
#include "cli/run_entropy.h"
#include "cli/unconverted_commands.h"
#include "cli/verb.h"
#include "collect/latency_table.h"
#include "describe/describe.h"
#include "devices/this_device.h"
#include "flags/version.h"
#include "predict/calibrate.h"
#include "predict/predictor_files.h"
#include "stats/quantile.h"
#include "support/json.h"
#include "zoo/sample.h"

namespace mete {
namespace {

struct CalibrateFlags {
  std::string device;
  int64_t networks = 10;
  std::string seconds = "1.5s";
};

// What the networks are chosen from: random ones, which every machine can make.
constexpr size_t kCandidates = 60;
// Larger ones would take most of the time and tell no more.
constexpr double kMostMacs = 1e9;

// A network as if it had run on the device, for the choice alone.
Result<LatencyRow> CandidateRow(const NetworkSource& source,
                                const Device& device) {
  NetworkDraft draft = SampleDraft(source.seed, source.index);
  Network network;
  network.graph = draft.graph;
  network.operator_sets = {{"", draft.opset}};
  ASSIGN_OR_RETURN(Characteristics described,
                   Describe(network, {.batch = 1, .layers = true}));
  LatencyRow row;
  ASSIGN_OR_RETURN(row.network, TraitsOf(described, source.name, 1));
  row.device = device.name;
  row.cpus = CpusOf(device);
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

// The rows of the device that came of these networks.
Result<std::vector<LatencyRow>> RowsOf(
    RunStore& store, const Device& device,
    const std::vector<NetworkSource>& networks) {
  ASSIGN_OR_RETURN(std::vector<LatencyRow> all, LatencyRows(store));
  std::vector<LatencyRow> rows;
  for (LatencyRow& row : all) {
    bool wanted = row.device == device.name &&
                  std::ranges::any_of(networks, [&](const NetworkSource& one) {
                    return one.name == row.network.name;
                  });
    if (wanted) rows.push_back(std::move(row));
  }
  return rows;
}

struct Outcome {
  size_t rows = 0;
  double before = 0;  // median relative error
  double after = 0;   // the same, corrected by runs of other networks alone
};

double RelativeError(double predicted, const LatencyRow& row) {
  return std::abs(predicted / *row.seconds - 1);
}

Result<Outcome> Judge(std::shared_ptr<const TreePredictor> base,
                      const std::vector<LatencyRow>& rows) {
  std::vector<double> before;
  std::vector<double> after;
  for (const LatencyRow& row : rows) {
    std::optional<DeviceConditions> conditions = ConditionsOf(row);
    if (!row.seconds || !conditions) continue;
    NetworkQuestion question = QuestionOf(row);
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
  return Outcome{.rows = before.size(),
                 .before = Quantile(before, 0.5).value_or(0),
                 .after = Quantile(after, 0.5).value_or(0)};
}

Result<Device> FindCalibrated(Invocation& invocation, RunStore& store,
                              const std::string& name) {
  Services& services = invocation.services;
  ASSIGN_OR_RETURN(Device here, RegisterThisDevice(store, services.ThisHost(),
                                                   services.TheClock()));
  ASSIGN_OR_RETURN(Device device, FindNamedDevice(store, name));
  if (!IsHere(device, here.id)) {
    return InvalidInput("'" + name + "' is another machine; run mete there");
  }
  if (device.micro) return device;
  Result<Device> measured = RefreshMeasurements(
      device, DevicePortsOf(invocation, store), invocation.stop);
  invocation.talk.ClearProgress();
  return measured;
}

Result<ExitCode> Calibrate(Invocation& invocation,
                           const CalibrateFlags& flags) {
  // The predictor as it was trained: a calibration is never built on another.
  ASSIGN_OR_RETURN(std::shared_ptr<const TreePredictor> base,
                   invocation.services.TrainedPredictor());
  ASSIGN_OR_RETURN(RunStore * store, invocation.services.Store());
  ASSIGN_OR_RETURN(Device device,
                   FindCalibrated(invocation, *store, flags.device));
  ASSIGN_OR_RETURN(std::vector<NetworkSource> networks,
                   ChooseNetworks(device, static_cast<size_t>(flags.networks)));
  RETURN_IF_ERROR(CollectWhole(invocation, *store,
                               {.networks = networks,
                                .devices = {device},
                                .loads = {0},
                                .time = *ParseDuration(flags.seconds),
                                .mete_version = kVersion,
                                .entropy = DrawRunEntropy}));
  ASSIGN_OR_RETURN(std::vector<LatencyRow> rows,
                   RowsOf(*store, device, networks));
  if (rows.size() < 2) {
    return Unavailable("calibrate: too few networks completed on " +
                       device.name);
  }
  ASSIGN_OR_RETURN(Outcome outcome, Judge(base, rows));
  ASSIGN_OR_RETURN(
      auto path, SaveCalibration(invocation.services.PredictorsFolder(), rows));
  invocation.output.Print({
      .text =
          [&] {
            return fmt::format(
                "{}: calibrated by {} runs; median error {:.1f} % before, "
                "{:.1f} % after\n(each run predicted from the others)\n",
                device.name, outcome.rows, 100 * outcome.before,
                100 * outcome.after);
          },
      .json =
          [&] {
            Json json;
            json["device"] = device.name;
            json["runs"] = outcome.rows;
            json["median_relative_before"] = outcome.before;
            json["median_relative_after"] = outcome.after;
            return json;
          },
      .csv =
          [&] {
            return fmt::format(
                "device,runs,median_relative_before,median_relative_after\n"
                "{},{},{},{}\n",
                device.name, outcome.rows, outcome.before, outcome.after);
          },
  });
  invocation.talk.Note("saved " + path.string());
  return ExitCode::kDone;
}

}  // namespace

void AddCalibrateCommand(Command root, Verbs& verbs) {
  auto flags = std::make_shared<CalibrateFlags>();
  Command command = root.Add(
      "calibrate", "Correct the predictor for a device it has not seen",
      "mete calibrate half --networks 10");
  command.Option("DEVICE", flags->device, "Of this machine").Required();
  command
      .Option("--networks", flags->networks,
              "How many to run, chosen to tell most (default 10)")
      .Within(2, 50);
  command.Option("--seconds", flags->seconds, "Of one run (default 1.5s)")
      .Check(ParseDuration, "TIME");
  verbs.push_back({.command = command,
                   .run =
                       [flags](Invocation& invocation) {
                         return Calibrate(invocation, *flags);
                       },
                   .interruptible = true});
}

}  // namespace mete
