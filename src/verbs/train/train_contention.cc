#include "train/train_contention.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "contention/pairwise_predictors.h"
#include "domain/mix_observation.h"
#include "predict/contention_files.h"
#include "support/file.h"
#include "support/gzip.h"
#include "train/deepsets_program.h"

namespace mete {
namespace {

using Trainable = std::shared_ptr<const ContentionPredictor>;

Result<std::vector<MeasuredMix>> ReadContentionTable(
    const TrainContentionRequest& request) {
  ASSIGN_OR_RETURN(std::string bytes, ReadFile(request.table));
  const std::string name = request.table.string();
  if (IsGzip(bytes)) {
    ASSIGN_OR_RETURN(bytes, Gunzip(bytes).While(name));
  }
  ASSIGN_OR_RETURN(std::vector<MixObservation> rows,
                   ParseMixCsv(bytes).While(name));
  std::set<std::string> devices;
  for (const MixObservation& row : rows) devices.insert(row.device);
  if (request.device.empty() && devices.size() > 1) {
    return InvalidInput(
        fmt::format("{} has {} devices; choose one with --device: {}", name,
                    devices.size(), fmt::join(devices, ", ")));
  }
  if (!request.device.empty()) {
    if (!devices.contains(request.device)) {
      return InvalidInput(
          fmt::format("{} has no rows of the device '{}'; it "
                      "has {}",
                      name, request.device, fmt::join(devices, ", ")));
    }
    std::erase_if(rows, [&](const MixObservation& row) {
      return row.device != request.device;
    });
  }
  return GroupByMix(rows);
}

// Trains methods by their names.
class ContentionTrainer {
 public:
  ContentionTrainer(const TrainContentionRequest& request,
                    const TrainContentionDependencies& needs,
                    const std::stop_token& stop)
      : request_(request), needs_(needs), stop_(stop) {}

  Result<Trainable> Train(const std::string& method,
                          std::span<const MeasuredMix> mixes) const {
    if (method == "pressure") {
      PressureTrainingRequest pressure = request_.pressure;
      pressure.seed = request_.seed;
      ASSIGN_OR_RETURN(auto trained,
                       TrainPressures(mixes, pressure, {}, stop_));
      return Trainable(std::make_shared<PressurePredictor>(std::move(trained)));
    }
    if (method.starts_with("deepsets")) {
      ASSIGN_OR_RETURN(
          auto trained,
          TrainWithMeteTorch(
              {.mixes = mixes,
               .epochs = method == "deepsets" ? kShortEpochs : kLongEpochs,
               .seed = request_.seed,
               .warm_start = request_.warm_start},
              needs_.torch, needs_.clock, stop_));
      return Trainable(std::make_shared<DeepSetsPredictor>(std::move(trained)));
    }
    ASSIGN_OR_RETURN(PairwiseRule rule, ParsePairwiseRule(method));
    return Trainable(
        std::make_shared<PairwisePredictor>(rule, FitPairwise(mixes)));
  }

 private:
  const TrainContentionRequest& request_;
  const TrainContentionDependencies& needs_;
  const std::stop_token& stop_;
};

Status CheckMethods(const std::vector<std::string>& methods) {
  for (const std::string& method : methods) {
    if (std::ranges::find(ContentionMethods(), method) !=
        ContentionMethods().end()) {
      continue;
    }
    return InvalidInput(fmt::format("unknown method '{}'; there are {}", method,
                                    fmt::join(ContentionMethods(), ", ")));
  }
  return {};
}

}  // namespace

const std::vector<std::string>& ContentionMethods() {
  static const std::vector<std::string> kMethods = {
      "pressure", "deepsets",     "deepsets-long", "perx",
      "scaloran", "scaloran-sum", "agnostic"};
  return kMethods;
}

Result<TrainedContention> TrainContention(
    const TrainContentionRequest& request,
    const TrainContentionDependencies& needs,
    const OnContentionTraining& on_training, std::stop_token stop) {
  RETURN_IF_ERROR(CheckMethods(request.methods));
  ASSIGN_OR_RETURN(std::vector<MeasuredMix> mixes,
                   ReadContentionTable(request));
  const MixSplit split =
      HoldOut(mixes, {.share = request.held_out, .seed = request.seed});
  if (split.test.empty()) {
    return InvalidInput(
        "training needs at least 2 random or active mixes, to hold one out; "
        "measure more with mete contend random");
  }
  const auto alone = FindTimesAlone(split.train);
  ContentionTrainer trainer(request, needs, stop);
  TrainedContention result{.comparison = {.seed = request.seed,
                                          .training_mixes = split.train.size(),
                                          .test_mixes = split.test.size()}};
  std::vector<std::string> trained;
  for (const std::string& method : request.methods) {
    if (stop.stop_requested()) {
      return Error(ErrorCode::kInterrupted, "training was interrupted");
    }
    if (on_training) on_training(method);
    const auto begin = needs.clock.Now();
    Result<Trainable> predictor = trainer.Train(method, split.train);
    if (!predictor.ok()) {
      const bool left_out =
          predictor.error().code() == ErrorCode::kUnavailable &&
          request.methods.size() > 1;
      if (!left_out) return predictor.error();
      result.warnings.push_back(method +
                                " is left out: " + predictor.error().message());
      continue;
    }
    const double seconds = Seconds(needs.clock.Now() - begin).count();
    trained.push_back(method);
    for (size_t kind = 0; kind < kTimeKinds; ++kind) {
      ContentionScore score = ScoreContention(**predictor, split.test, alone,
                                              static_cast<TimeKind>(kind));
      score.method = method;
      score.training_s = seconds;
      result.comparison.scores[kind].push_back(std::move(score));
    }
  }
  std::optional<size_t> best = FindBest(result.comparison);
  if (!best) {
    return InvalidInput(
        "no held-out mix has a tenant that kept up; measure "
        "more with mete contend random");
  }
  if (on_training) on_training(trained[*best]);
  ASSIGN_OR_RETURN(Trainable all, trainer.Train(trained[*best], mixes));
  result.document = {.device = mixes[0].rows[0].device,
                     .cores = mixes[0].rows[0].cores,
                     .trained_at = needs.clock.Wall(),
                     .seed = request.seed,
                     .mixes = mixes.size(),
                     .mete_version = request.mete_version,
                     .errors = ComparisonToJson(result.comparison),
                     .predictor = std::move(all)};
  ASSIGN_OR_RETURN(result.saved,
                   SaveContentionPredictor(request.folder, result.document));
  return result;
}

}  // namespace mete
