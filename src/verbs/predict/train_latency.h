// Trains a predictor from measured rows and validates it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "domain/latency_row.h"
#include "learn/boosted_trees.h"
#include "learn/errors.h"
#include "predict/tree_predictor.h"
#include "support/result.h"

namespace mete {

// The default settings of the trees.
TreeSettings LatencyTreeSettings();

// The rows to learn from and what to learn.
struct TrainRequest {
  std::span<const LatencyRow> rows;
  FeatureKind kind = FeatureKind::kFull;
  Quantity quantity = Quantity::kSeconds;
  TreeSettings trees = LatencyTreeSettings();
};

// The value to learn from a row. Absent when it was not measured.
std::optional<double> TargetFor(const TrainRequest& request,
                                const LatencyRow& row);

// Rows that can be learnt from: completed, with a target and a known device. Of
// repeated runs under one requested load only the fastest counts, since
// disturbances from outside the machine can only slow it down.
std::vector<size_t> UsableRows(const TrainRequest& request);

// A predictor whose errors are not known yet.
struct FittedTrees {
  Roofline roofline;
  FlatTrees trees;
};
// Fits the chosen rows alone, so that the others can be used for validation.
// Fails with kInvalidInput when no rows were chosen.
Result<FittedTrees> FitTrees(const TrainRequest& request,
                             std::span<const size_t> chosen);
// The value predicted for one row.
double PredictRow(const TrainRequest& request, const FittedTrees& fitted,
                  const LatencyRow& row);

// Which rows are held out together.
enum class Protocol { kRandom, kNetworkOut, kDeviceOut };

// Predictions for every usable row by a predictor that had not seen it.
struct HeldOut {
  std::vector<size_t> rows;  // indices into TrainRequest::rows
  std::vector<double> truth;
  std::vector<double> predicted;
};

// Errors of one predictor under one protocol.
struct Validation {
  std::string predictor;  // "mete", "roofline only", …
  Protocol protocol = Protocol::kRandom;
  // Absent: the predictor has no answer for rows held out this way.
  std::optional<ErrorSummary> errors;
  // Share of true values inside the predicted interval, for "mete" only.
  // Absent: too few networks.
  std::optional<double> coverage;
};

// How to validate, and what to record about the training.
struct TrainOptions {
  size_t random_folds = 10;
  // With more networks than this, several share a fold.
  size_t network_folds = 60;
  uint64_t seed = 0;
  std::string mete_version;
  std::chrono::system_clock::time_point now;
  bool baselines = true;
};

// Called after each predictor is fitted.
using TrainProgress = std::function<void(size_t done, size_t of)>;

// How often the device predicted to be fastest was measured to be the fastest
// (fastest_device.h).
struct FastestDevice {
  size_t cases = 0;
  size_t right = 0;
  double share() const {
    return cases == 0 ? 0
                      : static_cast<double>(right) / static_cast<double>(cases);
  }
};

// A trained predictor and the results of its validation.
struct Trained {
  TreePredictor predictor;  // refitted on all usable rows
  std::vector<Validation> validations;
  // How much a column contributed to the trees.
  struct Importance {
    std::string column;
    double gain = 0;  // share of the total gain
  };
  std::vector<Importance> importance;  // largest first
  HeldOut network_out;    // predictions of "mete", for a closer look
  FastestDevice fastest;  // for networks that were held out
  // The trees lost to the roofline on unseen networks, so the predictor is the
  // roofline with a factor. `network_out` are its predictions, then.
  bool roofline_only = false;
};

// Fails with kInvalidInput when there are too few rows or networks, and with
// kInterrupted when `stop` is requested.
Result<Trained> TrainLatency(const TrainRequest& request,
                             const TrainOptions& options,
                             const TrainProgress& progress,
                             std::stop_token stop);

}  // namespace mete
