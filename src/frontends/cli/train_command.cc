#include "cli/train_command.h"

#include <fmt/format.h>

#include "cli/require_store.h"
#include "flags/version.h"
#include "predict/training_report.h"
#include "support/json.h"

namespace mete {
namespace {

struct TrainFlags {
  std::string from = "store";
  std::string folder;
  std::string predictions;
  int64_t folds = 10;
  int64_t network_folds = 60;
  uint64_t seed = 0;
};

TrainPredictorsRequest ToTrainRequest(const TrainFlags& flags,
                                      const std::filesystem::path& folder) {
  TrainPredictorsRequest request{
      .folder =
          flags.folder.empty() ? folder : std::filesystem::path(flags.folder),
      .predictions = flags.predictions,
      .random_folds = static_cast<size_t>(flags.folds),
      .network_folds = static_cast<size_t>(flags.network_folds),
      .seed = flags.seed,
      .mete_version = kVersion};
  if (flags.from != "store") request.table = flags.from;
  return request;
}

Result<ExitCode> Train(Invocation& invocation, const TrainFlags& flags,
                       const TrainCommandDependencies& needs) {
  auto progress = [&](const std::string& what, size_t done, size_t of) {
    invocation.console.Progress(
        fmt::format("training {}: {} of {} fits …", what, done, of));
  };
  auto trained = TrainPredictors(ToTrainRequest(flags, needs.folder),
                                 needs.training, progress, invocation.stop);
  invocation.console.ClearProgress();
  if (!trained.ok()) return trained.error();
  if (!trained->warning.empty()) invocation.console.Warn(trained->warning);
  invocation.output.Print({
      .text = [&] { return TrainingText(trained->full); },
      .json = [&] { return TrainingToJson(trained->full); },
      .csv = [&] { return TrainingCsv(trained->full); },
  });
  for (const auto& path : trained->saved) {
    invocation.console.Note("saved " + path.string());
  }
  return ExitCode::kDone;
}

}  // namespace

void AddTrainCommand(Command root, Verbs& verbs,
                     Lazy<TrainCommandDependencies> dependencies) {
  Command train = root.Add("train", "Train predictors from measured runs",
                           "mete train latency");
  train.WantsSubcommand();
  auto flags = std::make_shared<TrainFlags>();
  Command latency = train.Add(
      "latency", "Train a predictor for the time and energy of an inference",
      "mete train latency --from runs.csv.gz");
  latency
      .Option("--from", flags->from,
              "Training data: store (default) or a file of mete collect "
              "--export-table")
      .Placeholder("SOURCE");
  latency
      .Option("--out", flags->folder,
              "Folder for the predictors (default: in the state folder)")
      .Placeholder("DIR");
  latency.Option("--folds", flags->folds, "Number of random folds (default 10)")
      .Within(2, 1000);
  latency
      .Option("--network-folds", flags->network_folds,
              "Maximum number of leave-networks-out folds (default 60)")
      .Within(2, 100'000);
  latency
      .Option("--predictions", flags->predictions,
              "Also write the cross-validated predictions to this CSV file")
      .Placeholder("FILE");
  latency.Option("--seed", flags->seed, "Random seed for the folds (default 0)")
      .Check(ParseCount, "N");
  auto run = [flags, dependencies](Invocation& invocation) -> Result<ExitCode> {
    if (flags->from == "store") {
      RETURN_IF_ERROR(RequireStore(invocation.settings));
    }
    ASSIGN_OR_RETURN(TrainCommandDependencies needs, dependencies());
    return Train(invocation, *flags, needs);
  };
  verbs.push_back({.command = latency, .run = run, .interruptible = true});
  AddTrainContention(train, verbs, dependencies);
}

}  // namespace mete
