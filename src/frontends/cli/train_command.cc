// mete train latency: learns how fast networks run from what was measured, and
// says how good it is on networks and devices it has not seen.
#include "cli/unconverted_commands.h"
#include "cli/verb.h"
#include "collect/latency_table.h"
#include "flags/version.h"
#include "predict/predictor_files.h"
#include "predict/train_latency.h"
#include "predict/training_report.h"
#include "support/file.h"
#include "support/gzip.h"
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

Result<std::vector<LatencyRow>> ReadRows(Invocation& invocation,
                                         const std::string& from) {
  if (from == "store") {
    ASSIGN_OR_RETURN(RunStore * store, invocation.services.Store());
    return LatencyRows(*store);
  }
  ASSIGN_OR_RETURN(std::string bytes, ReadFile(from));
  if (IsGzip(bytes)) {
    ASSIGN_OR_RETURN(bytes, Gunzip(bytes).While(from));
  }
  return ParseLatencyCsv(bytes).While(from);
}

bool HasEnergy(const std::vector<LatencyRow>& rows) {
  return !UsableRows({.rows = rows, .quantity = Quantity::kJoules}).empty();
}

Result<Trained> TrainOne(Invocation& invocation, const TrainRequest& request,
                         const TrainOptions& options, const char* what) {
  auto progress = [&](size_t done, size_t of) {
    invocation.talk.Progress(
        fmt::format("training {}: {} of {} fits …", what, done, of));
  };
  Result<Trained> trained =
      TrainLatency(request, options, progress, invocation.stop);
  invocation.talk.ClearProgress();
  return trained;
}

// Another predictor stands beside the full one in every table.
void AddAsRival(const Trained& rival, const char* name, Trained& full) {
  std::vector<Validation> merged;
  for (const Validation& one : full.validations) {
    merged.push_back(one);
    if (one.predictor != "mete") continue;
    for (Validation other : rival.validations) {
      if (other.protocol != one.protocol || other.predictor != "mete") continue;
      other.predictor = name;
      merged.push_back(other);
    }
  }
  full.validations = std::move(merged);
}

Result<ExitCode> Train(Invocation& invocation, const TrainFlags& flags) {
  ASSIGN_OR_RETURN(std::vector<LatencyRow> rows,
                   ReadRows(invocation, flags.from));
  TrainOptions options{
      .random_folds = static_cast<size_t>(flags.folds),
      .network_folds = static_cast<size_t>(flags.network_folds),
      .seed = flags.seed,
      .mete_version = kVersion,
      .now = invocation.services.TheClock().Wall()};
  ASSIGN_OR_RETURN(Trained full,
                   TrainOne(invocation, {.rows = rows}, options, "latency"));
  options.baselines = false;
  ASSIGN_OR_RETURN(
      Trained counts,
      TrainOne(invocation, {.rows = rows, .kind = FeatureKind::kCounts},
               options, "latency from counts"));
  AddAsRival(counts, "mete, counts alone", full);

  std::filesystem::path folder = flags.folder.empty()
                                     ? invocation.services.PredictorsFolder()
                                     : std::filesystem::path(flags.folder);
  std::vector<std::filesystem::path> saved;
  if (!flags.predictions.empty()) {
    RETURN_IF_ERROR(WriteFileAtomically(flags.predictions,
                                        HeldOutCsv(rows, full.network_out)));
    saved.emplace_back(flags.predictions);
  }
  for (const Trained* one : {&full, &counts}) {
    ASSIGN_OR_RETURN(auto path, SavePredictor(folder, one->predictor));
    saved.push_back(path);
  }
  if (HasEnergy(rows)) {
    // Few devices measure joules: too few runs of them must not cost the rest.
    Result<Trained> energy =
        TrainOne(invocation, {.rows = rows, .quantity = Quantity::kJoules},
                 options, "energy");
    if (energy.ok()) {
      ASSIGN_OR_RETURN(auto path, SavePredictor(folder, energy->predictor));
      saved.push_back(path);
      AddAsRival(*energy, "energy", full);
    } else if (energy.error().code() == ErrorCode::kInterrupted) {
      return energy.error();
    } else {
      invocation.talk.Warn("energy is not learnt: " + energy.error().message());
    }
  }
  invocation.output.Print({
      .text = [&] { return TrainingText(full); },
      .json = [&] { return TrainingToJson(full); },
      .csv = [&] { return TrainingCsv(full); },
  });
  for (const auto& path : saved) {
    invocation.talk.Note("saved " + path.string());
  }
  return ExitCode::kDone;
}

}  // namespace

void AddTrainCommand(Command root, Verbs& verbs) {
  Command train = root.Add("train", "Learn to predict from what was measured",
                           "mete train latency");
  train.WantsSubcommand();
  auto flags = std::make_shared<TrainFlags>();
  Command latency = train.Add("latency", "Seconds (and joules) of an inference",
                              "mete train latency --from runs.csv.gz");
  latency.Option("--from", flags->from,
                 "store, or a table of mete collect --export-table");
  latency.Option("--out", flags->folder,
                 "Folder of the predictors (default: by the store)");
  latency.Option("--folds", flags->folds, "Random folds (default 10)")
      .Within(2, 1000);
  latency
      .Option("--network-folds", flags->network_folds,
              "Folds of unseen networks at most (default 60)")
      .Within(2, 100'000);
  latency.Option("--predictions", flags->predictions,
                 "Also write predictions of unseen networks, CSV");
  latency.Option("--seed", flags->seed, "Of the folds (default 0)");
  verbs.push_back(
      {.command = latency,
       .run = [flags](
                  Invocation& invocation) { return Train(invocation, *flags); },
       .interruptible = true});
}

}  // namespace mete
