#include "train/train_predictors.h"

#include <utility>

#include "collect/latency_table.h"
#include "domain/latency_row.h"
#include "predict/predictor_files.h"
#include "predict/training_report.h"
#include "support/file.h"
#include "support/gzip.h"

namespace mete {
namespace {

Result<std::vector<LatencyRow>> ReadRows(const std::filesystem::path& table,
                                         const TrainDependencies& needs) {
  if (table.empty()) {
    ASSIGN_OR_RETURN(RunStore * store, needs.store());
    return LatencyRows(*store);
  }
  ASSIGN_OR_RETURN(std::string bytes, ReadFile(table));
  if (IsGzip(bytes)) {
    ASSIGN_OR_RETURN(bytes, Gunzip(bytes).While(table.string()));
  }
  return ParseLatencyCsv(bytes).While(table.string());
}

bool HasEnergy(const std::vector<LatencyRow>& rows) {
  return !UsableRows({.rows = rows, .quantity = Quantity::kJoules}).empty();
}

// Lists the validations of another predictor beside those of the full one.
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

// The fits of one request, one after the other.
class Training {
 public:
  Training(const TrainPredictorsRequest& request,
           std::chrono::system_clock::time_point now,
           const OnTraining& on_progress, std::stop_token stop)
      : options_{.random_folds = request.random_folds,
                 .network_folds = request.network_folds,
                 .seed = request.seed,
                 .mete_version = request.mete_version,
                 .now = now},
        on_progress_(on_progress),
        stop_(std::move(stop)) {}

  // Only the first predictor is compared with the baselines; once is enough.
  Result<Trained> Fit(const TrainRequest& request, const std::string& what) {
    auto progress = [&](size_t done, size_t of) {
      if (on_progress_) on_progress_(what, done, of);
    };
    Result<Trained> trained = TrainLatency(request, options_, progress, stop_);
    options_.baselines = false;
    return trained;
  }

 private:
  TrainOptions options_;
  const OnTraining& on_progress_;
  std::stop_token stop_;
};

}  // namespace

Result<TrainedPredictors> TrainPredictors(const TrainPredictorsRequest& request,
                                          const TrainDependencies& needs,
                                          const OnTraining& on_progress,
                                          std::stop_token stop) {
  ASSIGN_OR_RETURN(std::vector<LatencyRow> rows,
                   ReadRows(request.table, needs));
  Training training(request, needs.clock.Wall(), on_progress, std::move(stop));
  ASSIGN_OR_RETURN(Trained full, training.Fit({.rows = rows}, "latency"));
  ASSIGN_OR_RETURN(Trained counts,
                   training.Fit({.rows = rows, .kind = FeatureKind::kCounts},
                                "latency from counts"));
  AddAsRival(counts, "mete, layer counts only", full);

  std::vector<std::filesystem::path> saved;
  if (!request.predictions.empty()) {
    RETURN_IF_ERROR(WriteFileAtomically(request.predictions,
                                        HeldOutCsv(rows, full.network_out)));
    saved.push_back(request.predictions);
  }
  for (const Trained* one : {&full, &counts}) {
    ASSIGN_OR_RETURN(auto path, SavePredictor(request.folder, one->predictor));
    saved.push_back(path);
  }
  std::string warning;
  if (HasEnergy(rows)) {
    // Few devices measure energy. Too few such runs must not fail the training.
    Result<Trained> energy =
        training.Fit({.rows = rows, .quantity = Quantity::kJoules}, "energy");
    if (energy.ok()) {
      ASSIGN_OR_RETURN(auto path,
                       SavePredictor(request.folder, energy->predictor));
      saved.push_back(path);
      AddAsRival(*energy, "energy", full);
    } else if (energy.error().code() == ErrorCode::kInterrupted) {
      return energy.error();
    } else {
      warning = "no energy predictor was trained: " + energy.error().message();
    }
  }
  return TrainedPredictors{.full = std::move(full),
                           .saved = std::move(saved),
                           .warning = std::move(warning)};
}

}  // namespace mete
