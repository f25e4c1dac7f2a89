#include <fmt/format.h>

#include <algorithm>

#include "cli/train_command.h"
#include "flags/version.h"
#include "support/text.h"
#include "support/units.h"
#include "train/train_contention.h"

namespace mete {
namespace {

constexpr double kDefaultHeldOut = 0.3;

struct TrainContentionFlags {
  std::string from;
  std::string folder;
  std::string device;
  std::string method = "pressure";
  std::string warm_start;
  bool compare = false;
  uint64_t seed = 1;
};

// The methods of a comma-separated list; "all" are all of them.
Result<std::vector<std::string>> ParseContentionMethods(
    const std::string& text) {
  if (text == "all") return ContentionMethods();
  std::vector<std::string> methods = SplitAt(text, ',');
  for (const std::string& method : methods) {
    if (std::ranges::find(ContentionMethods(), method) ==
        ContentionMethods().end()) {
      return InvalidInput(fmt::format("'{}' is not one of {}, all", method,
                                      fmt::join(ContentionMethods(), ", ")));
    }
  }
  return methods;
}

Result<ExitCode> TrainContentionWith(Invocation& invocation,
                                     const TrainContentionFlags& flags,
                                     const TrainCommandDependencies& needs) {
  TrainContentionRequest request{
      .table = flags.from,
      .folder = flags.folder.empty() ? needs.folder
                                     : std::filesystem::path(flags.folder),
      .device = flags.device,
      .held_out = kDefaultHeldOut,
      .seed = flags.seed,
      .warm_start = flags.warm_start,
      .mete_version = kVersion};
  ASSIGN_OR_RETURN(request.methods, ParseContentionMethods(
                                        flags.compare ? "all" : flags.method));
  auto progress = [&](const std::string& method) {
    invocation.console.Progress(fmt::format("training {} …", method));
  };
  auto trained = TrainContention(
      request, {.clock = needs.training.clock, .torch = needs.torch}, progress,
      invocation.stop);
  invocation.console.ClearProgress();
  if (!trained.ok()) return trained.error();
  for (const std::string& warning : trained->warnings) {
    invocation.console.Warn(warning);
  }
  invocation.output.Print({
      .text = [&] { return ComparisonText(trained->comparison); },
      .json = [&] { return ComparisonToJson(trained->comparison); },
      .csv = [&] { return ComparisonCsv(trained->comparison); },
  });
  invocation.console.Note(fmt::format("saved {} in {}",
                                      trained->document.predictor->method(),
                                      trained->saved.string()));
  return ExitCode::kDone;
}

}  // namespace

void AddTrainContention(Command train, Verbs& verbs,
                        Lazy<TrainCommandDependencies> dependencies) {
  auto flags = std::make_shared<TrainContentionFlags>();
  Command command = train.Add(
      "contention", "Train a predictor for services that run side by side",
      "mete train contention --from table.csv.gz --compare");
  command
      .Option("--from", flags->from,
              "Table of mete contend --export-table, compressed or not")
      .Placeholder("TABLE")
      .Required();
  Flag method =
      command
          .Option("--method", flags->method,
                  "pressure (default), deepsets, deepsets-long, perx, "
                  "scaloran, scaloran-sum, agnostic, a list of them, or all; "
                  "the best one is saved")
          .Check(ParseContentionMethods, "NAME[,NAME...]");
  command
      .Switch("--compare", flags->compare,
              "Compare all methods on the same held-out mixes")
      .Excludes(method);
  command
      .Option("--device", flags->device,
              "Device to train for, if the table has several")
      .Placeholder("NAME");
  command
      .Option("--warm-start", flags->warm_start,
              "deepsets: start from this predictor, which may know fewer "
              "applications")
      .Placeholder("FILE");
  command
      .Option("--out", flags->folder,
              "Folder for the predictor (default: in the state folder)")
      .Placeholder("DIR");
  command
      .Option("--seed", flags->seed,
              "Random seed for weights and held-out mixes (default 1)")
      .Check(ParseCount, "N");
  auto run = [flags, dependencies](Invocation& invocation) -> Result<ExitCode> {
    ASSIGN_OR_RETURN(TrainCommandDependencies needs, dependencies());
    return TrainContentionWith(invocation, *flags, needs);
  };
  verbs.push_back({.command = command, .run = run, .interruptible = true});
}

}  // namespace mete
