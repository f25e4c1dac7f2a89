#include "predict/train_latency.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "learn/conformal.h"
#include "learn/folds.h"
#include "predict/baselines.h"
#include "predict/fastest_device.h"
#include "predict/training_report.h"
#include "support/json.h"
#include "support/sha256.h"

namespace mete {
namespace {

Roofline FitRoofline(const TrainRequest& request,
                     std::span<const size_t> chosen) {
  std::vector<LoadRow> rows;
  for (size_t i : chosen) {
    const LatencyRow& row = request.rows[i];
    rows.push_back({.slowdown = Slowdown(*ConditionsFor(row)),
                    .seconds = *TargetFor(request, row),
                    .device = row.device,
                    .pair = NetworkKey(row) + "@" + row.device});
  }
  return {.load_exponent = LoadExponent(rows)};
}

struct Prepared {
  Roofline roofline;
  FeatureTable table;
  std::vector<float> target;
};

Prepared Prepare(const TrainRequest& request, std::span<const size_t> chosen) {
  Prepared prepared{.roofline = FitRoofline(request, chosen)};
  for (const FeatureColumn& column : FeatureColumns(request.kind)) {
    prepared.table.columns.push_back(column.name);
  }
  for (size_t i : chosen) {
    const LatencyRow& row = request.rows[i];
    NetworkQuestion question = ToQuestion(row);
    DeviceConditions conditions = *ConditionsFor(row);
    prepared.table.AddRow(FeatureRow(request.kind, question, conditions));
    prepared.target.push_back(static_cast<float>(
        std::log(*TargetFor(request, row)) -
        LogBase(request.kind, prepared.roofline, question, conditions)));
  }
  return prepared;
}

TreeSettings Constrained(const TrainRequest& request) {
  TreeSettings settings = request.trees;
  for (const FeatureColumn& column : FeatureColumns(request.kind)) {
    settings.monotone.push_back(column.monotone);
  }
  return settings;
}

std::vector<Fold> MakeFolds(const TrainRequest& request, Protocol protocol,
                            std::span<const size_t> usable,
                            const TrainOptions& options) {
  if (protocol == Protocol::kRandom) {
    return RandomFolds(usable.size(), options.random_folds, options.seed);
  }
  std::vector<std::string> groups;
  for (size_t row : usable) {
    groups.push_back(protocol == Protocol::kNetworkOut
                         ? NetworkKey(request.rows[row])
                         : request.rows[row].device);
  }
  size_t at_most =
      protocol == Protocol::kNetworkOut ? options.network_folds : 0;
  return GroupFolds(groups, {.at_most = at_most, .seed = options.seed});
}

// Fits one of the predictors to validate.
using Fitter = std::function<Result<RowAnswer>(std::span<const size_t>)>;

struct Residuals {
  std::vector<double> logs;
  std::vector<std::string> networks;
};

Residuals ComputeResiduals(const TrainRequest& request, const HeldOut& held) {
  Residuals residuals;
  for (size_t i = 0; i < held.rows.size(); ++i) {
    residuals.logs.push_back(std::log(held.truth[i] / held.predicted[i]));
    residuals.networks.push_back(NetworkKey(request.rows[held.rows[i]]));
  }
  return residuals;
}

// Fewer than nine networks do not support a 90 % interval, so this takes twice
// the worst error seen.
double ComputeRadius(const Residuals& residuals) {
  std::optional<double> radius =
      GroupConformalRadius(residuals.logs, residuals.networks, kCoverage);
  if (radius) return *radius;
  double worst = 0;
  for (double log : residuals.logs) worst = std::max(worst, std::abs(log));
  return 2 * worst;
}

// Error of the log ratio of two devices for networks that were held out. Absent
// with too few networks or only one device.
std::optional<double> ComputeRatioRadius(const TrainRequest& request,
                                         const HeldOut& held) {
  std::map<std::string, std::vector<size_t>> networks;
  for (size_t i = 0; i < held.rows.size(); ++i) {
    networks[NetworkKey(request.rows[held.rows[i]])].push_back(i);
  }
  auto residual = [&](size_t i) {
    return std::log(held.truth[i] / held.predicted[i]);
  };
  Residuals ratios;
  for (const auto& [network, places] : networks) {
    for (size_t a : places) {
      for (size_t b : places) {
        bool pair = request.rows[held.rows[a]].device <
                    request.rows[held.rows[b]].device;
        if (!pair) continue;
        ratios.logs.push_back(residual(a) - residual(b));
        ratios.networks.push_back(network);
      }
    }
  }
  return GroupConformalRadius(ratios.logs, ratios.networks, kCoverage);
}

std::vector<ColumnRange> ComputeRanges(const FeatureTable& table) {
  std::vector<ColumnRange> ranges(table.columns.size(),
                                  {std::numeric_limits<float>::infinity(),
                                   -std::numeric_limits<float>::infinity()});
  for (size_t row = 0; row < table.rows(); ++row) {
    std::span<const float> cells = table.Row(row);
    for (size_t i = 0; i < cells.size(); ++i) {
      if (std::isnan(cells[i])) continue;
      ranges[i].low = std::min(ranges[i].low, cells[i]);
      ranges[i].high = std::max(ranges[i].high, cells[i]);
    }
  }
  for (ColumnRange& range : ranges) {
    if (range.low > range.high) range = {};
  }
  return ranges;
}

Provenance MakeProvenance(const TrainRequest& request,
                          std::span<const size_t> usable,
                          const TrainOptions& options) {
  std::set<std::string> networks;
  std::set<std::string> devices;
  std::set<std::string> engines;
  std::string table = LatencyCsvHeader();
  for (size_t i : usable) {
    const LatencyRow& row = request.rows[i];
    networks.insert(NetworkKey(row));
    devices.insert(row.device);
    engines.insert(row.engine);
    table += ToCsvLine(row);
  }
  return {.rows = usable.size(),
          .networks = networks.size(),
          .devices = {devices.begin(), devices.end()},
          .engines = {engines.begin(), engines.end()},
          .table_sha256 = ComputeSha256(table),
          .seed = options.seed,
          .mete_version = options.mete_version,
          .trained_at = options.now};
}

Status RequireEnough(const Provenance& from) {
  if (from.networks >= 3 && from.rows >= 12) return {};
  return InvalidInput(fmt::format(
      "training needs at least 12 usable runs of 3 networks, found {} "
      "of {}; measure more with mete collect",
      from.rows, from.networks));
}

std::vector<Trained::Importance> MakeImportance(
    FeatureKind kind, const std::vector<double>& shares) {
  std::vector<Trained::Importance> importance;
  for (size_t i = 0; i < shares.size(); ++i) {
    importance.push_back({FeatureColumns(kind)[i].name, shares[i]});
  }
  std::stable_sort(
      importance.begin(), importance.end(),
      [](const auto& a, const auto& b) { return a.gain > b.gain; });
  return importance;
}

// The first protocol yields the radius of the interval that the others are
// validated with.
constexpr Protocol kProtocols[] = {Protocol::kNetworkOut, Protocol::kRandom,
                                   Protocol::kDeviceOut};

double ShareWithin(const std::vector<double>& residuals, double radius) {
  auto within = std::ranges::count_if(
      residuals, [&](double log) { return std::abs(log) <= radius; });
  return static_cast<double>(within) / static_cast<double>(residuals.size());
}

}  // namespace

TreeSettings LatencyTreeSettings() {
  return {.trees = 400,
          .depth = 5,
          .learning_rate = 0.05,
          .row_share = 0.8,
          .column_share = 0.5,
          .lambda = 2,
          .min_child_weight = 3};
}

std::optional<double> TargetFor(const TrainRequest& request,
                                const LatencyRow& row) {
  return request.quantity == Quantity::kSeconds ? row.seconds : row.joules;
}

std::vector<size_t> UsableRows(const TrainRequest& request) {
  using Repeated = std::tuple<std::string, int64_t, std::string, int, double>;
  std::map<Repeated, size_t> places;  // index into `usable`
  std::vector<size_t> usable;
  for (size_t i = 0; i < request.rows.size(); ++i) {
    const LatencyRow& row = request.rows[i];
    std::optional<double> target = TargetFor(request, row);
    bool learnable = row.outcome == OutcomeKind::kCompleted && target &&
                     *target > 0 && ConditionsFor(row);
    if (!learnable) continue;
    if (!row.load_asked) {
      usable.push_back(i);
      continue;
    }
    auto [place, is_first] =
        places.try_emplace({NetworkKey(row), row.network.batch, row.device,
                            row.threads, *row.load_asked},
                           usable.size());
    if (is_first) {
      usable.push_back(i);
    } else if (size_t& best = usable[place->second];
               *target < *TargetFor(request, request.rows[best])) {
      best = i;
    }
  }
  return usable;
}

Result<FittedTrees> FitTrees(const TrainRequest& request,
                             std::span<const size_t> chosen) {
  Prepared prepared = Prepare(request, chosen);
  ASSIGN_OR_RETURN(FlatTrees trees, TrainTrees({.table = prepared.table,
                                                .target = prepared.target},
                                               Constrained(request)));
  return FittedTrees{prepared.roofline, std::move(trees)};
}

double PredictRow(const TrainRequest& request, const FittedTrees& fitted,
                  const LatencyRow& row) {
  NetworkQuestion question = ToQuestion(row);
  DeviceConditions conditions = *ConditionsFor(row);
  return std::exp(
      LogBase(request.kind, fitted.roofline, question, conditions) +
      fitted.trees.Predict(FeatureRow(request.kind, question, conditions)));
}

namespace {

// Validates by every protocol, then fits on everything.
class Training {
 public:
  Training(const TrainRequest& request, const TrainOptions& options,
           const TrainProgress& progress, std::stop_token stop)
      : request_(request),
        options_(options),
        progress_(progress),
        stop_(std::move(stop)),
        usable_(UsableRows(request)) {}

  Result<Trained> Run() {
    Provenance provenance = MakeProvenance(request_, usable_, options_);
    RETURN_IF_ERROR(RequireEnough(provenance));
    if (options_.baselines) baselines_ = LatencyBaselines();
    std::vector<std::vector<Fold>> folds;
    for (Protocol protocol : kProtocols) {
      folds.push_back(MakeFolds(request_, protocol, usable_, options_));
      fits_ += folds.back().size() * (1 + baselines_.size());
    }
    for (size_t i = 0; i < folds.size(); ++i) {
      RETURN_IF_ERROR(Validate(kProtocols[i], folds[i]));
    }
    return Refit(std::move(provenance));
  }

 private:
  Status Step() {
    if (progress_) progress_(++done_, fits_);
    if (!stop_.stop_requested()) return {};
    return Error(ErrorCode::kInterrupted, "train: stopped");
  }

  // Predictions for the rows held out, without those that the fitter has no
  // answer for. Absent when these are more than a tenth.
  Result<std::optional<HeldOut>> Judge(const std::vector<Fold>& folds,
                                       const Fitter& fit) {
    HeldOut held;
    for (const Fold& fold : folds) {
      std::vector<size_t> chosen = SelectFrom(usable_, fold.train);
      ASSIGN_OR_RETURN(RowAnswer answer, fit(chosen));
      RETURN_IF_ERROR(Step());
      for (size_t row : SelectFrom(usable_, fold.test)) {
        std::optional<double> value = answer(request_.rows[row]);
        if (!value) continue;
        held.rows.push_back(row);
        held.truth.push_back(*TargetFor(request_, request_.rows[row]));
        held.predicted.push_back(*value);
      }
    }
    if (folds.empty() || 10 * held.rows.size() < 9 * usable_.size()) {
      return std::optional<HeldOut>();
    }
    return std::optional(std::move(held));
  }

  Result<RowAnswer> FitOwn(std::span<const size_t> chosen) const {
    ASSIGN_OR_RETURN(FittedTrees fitted, FitTrees(request_, chosen));
    const TrainRequest& request = request_;
    return RowAnswer([&request, fitted](const LatencyRow& row) {
      return std::optional(PredictRow(request, fitted, row));
    });
  }

  // Trees that predict unseen networks worse than the analytic estimate they
  // start from do harm.
  bool Loses(const Validation& own, const Validation& rival) const {
    return request_.kind == FeatureKind::kFull &&
           request_.quantity == Quantity::kSeconds &&
           rival.predictor == kRooflineBaseline && own.errors && rival.errors &&
           rival.errors->median_relative < own.errors->median_relative;
  }

  Status Validate(Protocol protocol, const std::vector<Fold>& folds) {
    ASSIGN_OR_RETURN(std::optional<HeldOut> held,
                     Judge(folds, [this](std::span<const size_t> chosen) {
                       return FitOwn(chosen);
                     }));
    Validation own{.predictor = "mete", .protocol = protocol};
    if (held) {
      own.errors = SummariseErrors(held->truth, held->predicted);
      Residuals residuals = ComputeResiduals(request_, *held);
      if (protocol == Protocol::kNetworkOut) {
        own.coverage = LeaveGroupOutCoverage(residuals.logs, residuals.networks,
                                             kCoverage);
        radius_ = ComputeRadius(residuals);
        network_out_ = *std::move(held);
      } else {
        own.coverage = ShareWithin(residuals.logs, radius_);
      }
    }
    validations_.push_back(own);
    for (const Baseline& baseline : baselines_) {
      ASSIGN_OR_RETURN(std::optional<HeldOut> other,
                       Judge(folds, [&](std::span<const size_t> chosen) {
                         return baseline.fit(request_, chosen);
                       }));
      Validation rival{.predictor = baseline.name, .protocol = protocol};
      if (other) {
        rival.errors = SummariseErrors(other->truth, other->predicted);
      }
      validations_.push_back(rival);
      if (protocol == Protocol::kNetworkOut && Loses(own, rival)) {
        roofline_only_ = true;
        radius_ = ComputeRadius(ComputeResiduals(request_, *other));
        network_out_ = *std::move(other);
      }
    }
    return {};
  }

  // The roofline as it was validated: times one factor, at full effect of the
  // load.
  Trained KeepRoofline(Provenance provenance, const Prepared& prepared) {
    TreePredictor predictor(
        {.kind = request_.kind,
         .quantity = request_.quantity,
         .roofline = Roofline(),
         .trees = FlatTrees::Constant(
             static_cast<float>(std::log(RooflineFactor(request_, usable_))),
             prepared.table.columns.size()),
         .ranges = ComputeRanges(prepared.table),
         .radius = radius_,
         .ratio_radius = ComputeRatioRadius(request_, network_out_),
         .provenance = std::move(provenance),
         .errors = ValidationsToJson(validations_)});
    return {.predictor = std::move(predictor),
            .validations = std::move(validations_),
            .network_out = network_out_,
            .fastest = JudgeFastest(request_.rows, network_out_,
                                    {.seed = options_.seed}),
            .roofline_only = true};
  }

  Result<Trained> Refit(Provenance provenance) {
    std::ranges::stable_sort(validations_, {}, &Validation::protocol);
    Prepared prepared = Prepare(request_, usable_);
    if (roofline_only_) {
      RETURN_IF_ERROR(Step());
      return KeepRoofline(std::move(provenance), prepared);
    }
    ASSIGN_OR_RETURN(
        Booster booster,
        Booster::Train({.table = prepared.table, .target = prepared.target},
                       Constrained(request_)));
    RETURN_IF_ERROR(Step());
    ASSIGN_OR_RETURN(std::string json, booster.SaveJson());
    size_t columns = prepared.table.columns.size();
    ASSIGN_OR_RETURN(FlatTrees trees, FlatTrees::FromXgboost(json, columns));
    ASSIGN_OR_RETURN(std::vector<double> gains, booster.GainShares());
    TreePredictor predictor(
        {.kind = request_.kind,
         .quantity = request_.quantity,
         .roofline = prepared.roofline,
         .trees = std::move(trees),
         .ranges = ComputeRanges(prepared.table),
         .radius = radius_,
         .ratio_radius = ComputeRatioRadius(request_, network_out_),
         .provenance = std::move(provenance),
         .errors = ValidationsToJson(validations_)});
    return Trained{.predictor = std::move(predictor),
                   .validations = std::move(validations_),
                   .importance = MakeImportance(request_.kind, gains),
                   .network_out = network_out_,
                   .fastest = JudgeFastest(request_.rows, network_out_,
                                           {.seed = options_.seed})};
  }

  const TrainRequest& request_;
  const TrainOptions& options_;
  const TrainProgress& progress_;
  std::stop_token stop_;
  std::vector<size_t> usable_;
  std::vector<Baseline> baselines_;
  size_t fits_ = 1;
  size_t done_ = 0;
  std::vector<Validation> validations_;
  HeldOut network_out_;
  double radius_ = 1;
  bool roofline_only_ = false;
};

}  // namespace

Result<Trained> TrainLatency(const TrainRequest& request,
                             const TrainOptions& options,
                             const TrainProgress& progress,
                             std::stop_token stop) {
  return Training(request, options, progress, std::move(stop)).Run();
}

}  // namespace mete
