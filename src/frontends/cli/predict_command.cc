#include "cli/predict_command.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/ask_predictions.h"
#include "cli/show_collecting.h"
#include "collect/collect_here.h"
#include "collect/inspect_machine.h"
#include "collect/show_device.h"
#include "devices/cpu_load.h"
#include "devices/find_devices.h"
#include "devices/here_nodes.h"
#include "flags/version.h"
#include "ports/unknown_errors.h"
#include "predict/contention_files.h"
#include "predict/predict_networks.h"
#include "predict/together.h"
#include "support/json.h"
#include "support/units.h"
#include "verify/check_predictions.h"

namespace mete {
namespace {

struct PredictFlags {
  std::vector<std::string> networks;
  std::vector<std::string> shapes;
  std::vector<std::string> inputs;
  std::string devices;
  bool all = false;
  bool check = false;
  std::string objective = "latency";
  std::string load;
  int64_t batch = 1;
  std::string together;
  std::string folder;
};

// "30" and "30%" are percentages; "0.3", with a decimal point, is a fraction.
Result<double> ParseLoad(const std::string& text) {
  Result<double> load = ParseRatio(text);
  if (!load.ok()) {
    return InvalidInput("'" + text +
                        "' is not a load; write it like 30 or 30%");
  }
  bool share = text.ends_with('%') || text.find('.') != std::string::npos;
  if (!share) *load /= 100;
  if (*load >= 0 && *load <= 1) return load;
  return InvalidInput("'" + text + "' is not a load from 0 % to 100 %");
}

Result<PredictRequest> ToRequest(const PredictFlags& flags,
                                 GraphReader& reader) {
  PredictRequest request{.nodes = {.names = NamesIn(flags.devices)},
                         .batch = flags.batch};
  ASSIGN_OR_RETURN(request.objective, ParseObjective(flags.objective));
  NetworkFiles files{.paths = flags.networks,
                     .shapes = {},
                     .inputs = flags.inputs,
                     .batch = flags.batch};
  for (const std::string& shape : flags.shapes) {
    ASSIGN_OR_RETURN(ShapeOverride given, ParseShapeOverride(shape));
    files.shapes.push_back(std::move(given));
  }
  ASSIGN_OR_RETURN(request.networks, AskAboutFiles(files, reader));
  if (!flags.load.empty()) {
    ASSIGN_OR_RETURN(request.nodes.load, ParseLoad(flags.load));
  }
  return request;
}

Result<std::vector<CheckedPrediction>> Check(
    Invocation& invocation, const Answers& answers, const PredictFlags& flags,
    std::optional<double> load, const PredictCommandDependencies& needs) {
  ASSIGN_OR_RETURN(CollectDependencies collecting, needs.machine.collecting());
  auto checks = CheckPredictions(
      {.answers = answers,
       .paths = flags.networks,
       .load = load,
       .load_is_present = bool(needs.machine.register_this_device),
       .mete_version = kVersion},
      collecting, ShowCollecting(invocation.console), invocation.stop);
  invocation.console.ClearProgress();
  return checks;
}

bool Recommends(const Answers& answers) {
  return std::ranges::all_of(answers.networks, [](const NetworkAnswer& one) {
    return one.ranking.tied > 0;
  });
}

// Warns about networks that did not complete, and about measured times outside
// their intervals. Returns whether there are any.
bool HasMisses(const std::vector<CheckedPrediction>& checks, Console& console) {
  size_t measured = 0;
  for (const CheckedPrediction& check : checks) {
    if (check.measured) {
      ++measured;
      continue;
    }
    console.Warn(fmt::format("--check: {} on {}: {}", check.network,
                             check.device, check.failure));
  }
  const auto misses =
      std::ranges::count_if(checks, [](const CheckedPrediction& check) {
        return check.measured && !check.inside();
      });
  if (misses == 0) return measured < checks.size();
  console.Warn(fmt::format("{} of {} outside the predicted interval", misses,
                           Counted(measured, "measured time")));
  return true;
}

Result<ExitCode> Predict(Invocation& invocation, const PredictFlags& flags,
                         const PredictCommandDependencies& needs) {
  ASSIGN_OR_RETURN(PredictRequest request, ToRequest(flags, needs.reader));
  ASSIGN_OR_RETURN(Answers answers, AskPredictions(invocation, request, needs));
  std::vector<CheckedPrediction> checks;
  if (flags.check) {
    ASSIGN_OR_RETURN(
        checks, Check(invocation, answers, flags, request.nodes.load, needs));
  }
  invocation.output.Print({
      .text =
          [&] {
            std::string text = AnswersText(answers);
            return checks.empty() ? text : text + "\n" + ChecksText(checks);
          },
      .json =
          [&] {
            Json json = AnswersToJson(answers);
            if (flags.check) json["checks"] = ChecksToJson(checks);
            return json;
          },
      .csv =
          [&] { return flags.check ? ChecksCsv(checks) : AnswersCsv(answers); },
  });
  if (answers.nodes.stale) invocation.console.Warn(*answers.nodes.stale);
  if (answers.predictors.bundled) {
    invocation.console.Note("note: " + std::string(kBundledHint));
  }
  const bool missed = HasMisses(checks, invocation.console);
  return Recommends(answers) && !missed ? ExitCode::kDone
                                        : ExitCode::kInfeasible;
}

Result<ExitCode> PredictServices(Invocation& invocation,
                                 const PredictFlags& flags,
                                 const PredictCommandDependencies& needs) {
  ASSIGN_OR_RETURN(std::vector<Tenant> tenants, ParseTenants(flags.together));
  const std::filesystem::path folder =
      flags.folder.empty() ? needs.folder : std::filesystem::path(flags.folder);
  ASSIGN_OR_RETURN(ContentionDocument document,
                   LoadContentionPredictor(folder, flags.devices));
  ASSIGN_OR_RETURN(TogetherAnswer answer, PredictTogether(document, tenants));
  invocation.output.Print({
      .text = [&] { return TogetherText(answer); },
      .json = [&] { return TogetherToJson(answer); },
      .csv = [&] { return TogetherCsv(answer); },
  });
  return ExitCode::kDone;
}

}  // namespace

void AddPredictCommand(Command root, Verbs& verbs,
                       Lazy<PredictCommandDependencies> dependencies) {
  auto flags = std::make_shared<PredictFlags>();
  Command command =
      root.Add("predict", "Predict which device runs a network fastest",
               "mete predict mobilenet-v2.onnx --load 30\n"
               "  mete predict --together tclf-rf:2@80,text-bert@10");
  Flag networks = command.Option("NET.onnx", flags->networks, "Network file");
  Flag devices = command
                     .Option("--device", flags->devices,
                             "Only these devices, e.g. a,b (default: all)")
                     .Placeholder("NAME[,NAME...]");
  Flag together =
      command
          .Option("--together", flags->together,
                  "Instead of networks: services that run side by side, as "
                  "trained by mete train contention")
          .Check(ParseTenants, "APP[:N][@RATE],...")
          .Excludes(networks);
  command
      .Option("--predictors", flags->folder,
              "--together: folder of the predictors (default: in the state "
              "folder)")
      .Placeholder("DIR")
      .Needs(together);
  command.Switch("--all", flags->all, "All known devices")
      .Excludes(devices)
      .Excludes(together);
  command
      .Option("--load", flags->load,
              "CPU load to assume on the devices, e.g. 30 or 30%")
      .Check(ParseLoad, "PERCENT")
      .Excludes(together);
  command
      .Option("--objective", flags->objective,
              "Rank by latency (default), throughput or energy")
      .Check(ParseObjective, "NAME")
      .Excludes(together);
  Flag check =
      command
          .Switch("--check", flags->check,
                  "Also run the networks on this machine's devices and "
                  "compare; exit with 3 if a time is outside its interval")
          .Excludes(together);
  command
      .Option("--input", flags->inputs,
              "Values of an input for --check: a NumPy file, a number, zeros "
              "or ones, e.g. x=x.npy or sr=16000 (default: random)")
      .Placeholder("[NAME=]VALUE")
      .OneEach()
      .Needs(check);
  command
      .Option("--shape", flags->shapes,
              "Shape of an input, e.g. input=1x3x224x224")
      .Check(ParseShapeOverride, "NAME=SIZES")
      .OneEach()
      .Excludes(together);
  command
      .Option("--batch", flags->batch,
              "Batch size for inputs with an open batch dimension (default 1)")
      .Within(1, 1'000'000)
      .Excludes(together);
  auto run = [flags, dependencies](Invocation& invocation) -> Result<ExitCode> {
    if (flags->networks.empty() && flags->together.empty()) {
      invocation.console.Error(
          "mete predict: expected a network file, or services after "
          "--together");
      return ExitCode::kUsage;
    }
    ASSIGN_OR_RETURN(PredictCommandDependencies needs, dependencies());
    if (!flags->together.empty()) {
      return PredictServices(invocation, *flags, needs);
    }
    return UsageIfInvalid(invocation, Predict(invocation, *flags, needs));
  };
  verbs.push_back({.command = command, .run = run, .interruptible = true});
}

}  // namespace mete
