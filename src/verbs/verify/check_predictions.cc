#include "verify/check_predictions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "devices/find_devices.h"
#include "devices/this_device.h"
#include "domain/run_words.h"
#include "support/json.h"
#include "support/table.h"

namespace mete {
namespace {

// Duration of one run: long enough to know the mean to a standard error of 2 %.
constexpr Seconds kRunTime{2};

// The load to generate while the networks run.
Result<double> LoadToMake(const CheckRequest& request) {
  const Answers& answers = request.answers;
  if (answers.objective == Objective::kEnergy) {
    return InvalidInput("--check measures seconds, not energy");
  }
  if (request.load) return *request.load;
  if (request.load_is_present) return 0.0;
  bool reported = std::ranges::any_of(
      answers.nodes.nodes,
      [](const ClusterNode& node) { return node.load.has_value(); });
  if (!reported) return 0.0;
  return InvalidInput(
      "--check runs under a single load: set it with --load, since these "
      "devices report different loads");
}

// Those of the predicted devices that are on this machine.
Result<std::vector<Device>> DevicesToCheck(const CollectDependencies& needs,
                                           const Answers& answers) {
  ASSIGN_OR_RETURN(Device here,
                   RegisterThisDevice(needs.store, needs.host, needs.clock));
  std::vector<Device> devices;
  for (const ClusterNode& node : answers.nodes.nodes) {
    Result<Device> device = needs.store.FindDevice(node.name);
    if (!device.ok()) continue;
    if (IsHere(*device, here.id)) devices.push_back(*std::move(device));
  }
  if (devices.empty()) {
    return InvalidInput(
        "--check: none of these devices is on this machine; create one with "
        "mete devices add --emulate");
  }
  return devices;
}

CollectRequest RunsToMake(const CheckRequest& request,
                          const std::vector<Device>& devices, double load) {
  CollectRequest collect{.devices = devices,
                         .loads = {load},
                         .time = kRunTime,
                         .batch = request.answers.batch,
                         .again = true,
                         .mete_version = request.mete_version};
  for (size_t i = 0; i < request.paths.size(); ++i) {
    collect.networks.push_back(
        {.kind = NetworkSource::Kind::kFile,
         .name = request.answers.networks[i].question.name,
         .source = request.paths[i],
         .shapes = request.answers.networks[i].question.shapes,
         .inputs = request.answers.networks[i].question.inputs});
  }
  return collect;
}

// The run of the network with these sizes on the device under this load that
// started at or after `since`.
Result<std::optional<Run>> FindMatchingRun(
    RunStore& store, const NetworkQuestion& question, const Device& device,
    double load, std::chrono::system_clock::time_point since) {
  ASSIGN_OR_RETURN(auto runs, store.ListRuns({.device = device.id}));
  std::vector<std::string> shapes;
  for (const ShapeOverride& shape : question.shapes) {
    shapes.push_back(ToString(shape));
  }
  for (Run& run : runs) {
    bool same = run.load && run.network() && run.started_at >= since &&
                run.workload.batch == question.traits->batch &&
                run.workload.given_shapes == shapes &&
                run.workload.sha256 == question.traits->sha256 &&
                std::abs(run.load->asked - load) < 0.005;
    if (same) return std::optional(std::move(run));
  }
  return std::optional<Run>();
}

// Fills in what the run found; absent: the network was not run.
void FillMeasured(const std::optional<Run>& run, CheckedPrediction& check) {
  if (!run) {
    check.failure = "not run";
    return;
  }
  check.load = run->load->measured;
  const auto& latency = run->network()->latency;
  if (run->outcome.kind == OutcomeKind::kCompleted && latency) {
    check.measured = latency->mean.count();
    return;
  }
  check.failure = ToWords(run->outcome.kind);
  if (!run->outcome.detail.empty()) {
    check.failure += ": " + run->outcome.detail;
  }
}

// Fails with the reasons if nothing completed.
Status CheckAnyCompleted(const std::vector<CheckedPrediction>& checks) {
  std::string reasons;
  for (const CheckedPrediction& check : checks) {
    if (check.measured) return {};
    reasons += fmt::format("{} {} on {}: {}", reasons.empty() ? ":" : ";",
                           check.network, check.device, check.failure);
  }
  return Unavailable("--check: no network completed on any device" + reasons);
}

std::string LoadText(const CheckedPrediction& check) {
  auto percent = [](double load) {
    return fmt::format("{:.0f} %", 100 * load);
  };
  const std::string assumed =
      check.assumed_load ? percent(*check.assumed_load) : "?";
  return check.measured ? assumed + " / " + percent(check.load) : assumed;
}

}  // namespace

Result<std::vector<CheckedPrediction>> CheckPredictions(
    const CheckRequest& request, const CollectDependencies& needs,
    const CollectCallbacks& callbacks, std::stop_token stop) {
  ASSIGN_OR_RETURN(double load, LoadToMake(request));
  ASSIGN_OR_RETURN(std::vector<Device> devices,
                   DevicesToCheck(needs, request.answers));
  const auto since = needs.clock.Wall();
  RETURN_IF_ERROR(CollectWhole(RunsToMake(request, devices, load), needs,
                               callbacks, std::move(stop))
                      .While("--check"));
  std::vector<CheckedPrediction> checks;
  for (const NetworkAnswer& network : request.answers.networks) {
    for (const DeviceAnswer& answer : network.ranking.devices) {
      const ClusterNode& node = request.answers.nodes.nodes[answer.node];
      auto device = std::ranges::find(devices, node.name, &Device::name);
      if (device == devices.end() || !answer.estimate) continue;
      ASSIGN_OR_RETURN(
          std::optional<Run> run,
          FindMatchingRun(needs.store, network.question, *device, load, since));
      checks.push_back({.network = network.question.name,
                        .device = node.name,
                        .predicted = *answer.estimate,
                        .assumed_load = node.load});
      FillMeasured(run, checks.back());
    }
  }
  RETURN_IF_ERROR(CheckAnyCompleted(checks));
  return checks;
}

std::string ChecksText(const std::vector<CheckedPrediction>& checks) {
  Table table({{"checked by running"},
               {"device"},
               {"predicted", Align::kRight},
               {"measured", Align::kRight},
               {"off by", Align::kRight},
               {"in interval"},
               {"load assumed / seen", Align::kRight}});
  for (const CheckedPrediction& check : checks) {
    table.AddRow(
        {check.network, check.device, FormatSeconds(check.predicted.value),
         check.measured ? FormatSeconds(*check.measured) : "-",
         check.measured ? fmt::format("{:+.1f} %", 100 * check.off()) : "-",
         check.measured ? (check.inside() ? "yes" : "no") : "-",
         LoadText(check)});
  }
  return table.Text();
}

std::string ChecksCsv(const std::vector<CheckedPrediction>& checks) {
  Table table({{"network"},
               {"node"},
               {"load"},
               {"seconds"},
               {"seconds_low"},
               {"seconds_high"},
               {"measured_seconds"},
               {"in_interval"},
               {"assumed_load"},
               {"failure"}});
  auto number = [](double value) { return fmt::format("{}", value); };
  for (const CheckedPrediction& check : checks) {
    const bool done = check.measured.has_value();
    table.AddRow(
        {check.network, check.device, done ? number(check.load) : "",
         number(check.predicted.value), number(check.predicted.low),
         number(check.predicted.high), done ? number(*check.measured) : "",
         done ? (check.inside() ? "true" : "false") : "",
         check.assumed_load ? number(*check.assumed_load) : "", check.failure});
  }
  return table.Csv();
}

Json ChecksToJson(const std::vector<CheckedPrediction>& checks) {
  Json json = Json::array();
  for (const CheckedPrediction& check : checks) {
    Json entry;
    entry["network"] = check.network;
    entry["node"] = check.device;
    entry["predicted_seconds"] = check.predicted.value;
    SetNumber(entry, "assumed_load", check.assumed_load);
    if (check.measured) {
      entry["measured_seconds"] = *check.measured;
      entry["load"] = check.load;
      entry["in_interval"] = check.inside();
    } else {
      entry["failure"] = check.failure;
    }
    json.push_back(std::move(entry));
  }
  return json;
}

}  // namespace mete
