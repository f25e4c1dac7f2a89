// Trains a predictor from measured rows and finds out how good it is.
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

// The settings of the trees unless others are given.
TreeSettings LatencyTreeSettings();

struct TrainRequest {
  std::span<const LatencyRow> rows;
  FeatureKind kind = FeatureKind::kFull;
  Quantity quantity = Quantity::kSeconds;
  TreeSettings trees = LatencyTreeSettings();
};

// What is learnt of a row; absent when it was not measured.
std::optional<double> TargetFor(const TrainRequest& request,
                                const LatencyRow& row);

// Rows that can be learnt from: completed, with a target and a known device.
// Of runs repeated under one asked load the best counts: what comes from
// outside the machine only ever slows it down.
std::vector<size_t> UsableRows(const TrainRequest& request);

// A predictor before it knows its errors.
struct FittedTrees {
  Roofline roofline;
  FlatTrees trees;
};
// From the chosen rows alone, so that it can be judged on the others. Fails
// with kInvalidInput when there are none.
Result<FittedTrees> FitTrees(const TrainRequest& request,
                             std::span<const size_t> chosen);
// The value it gives for one row.
double PredictRow(const TrainRequest& request, const FittedTrees& fitted,
                  const LatencyRow& row);

// How rows are held out.
enum class Protocol { kRandom, kNetworkOut, kDeviceOut };

// What was predicted for every usable row by a predictor that had not seen it.
struct HeldOut {
  std::vector<size_t> rows;  // indices into TrainRequest::rows
  std::vector<double> truth;
  std::vector<double> predicted;
};

struct Validation {
  std::string predictor;  // "mete", "roofline alone", …
  Protocol protocol = Protocol::kRandom;
  // Absent: it cannot answer for what was held out.
  std::optional<ErrorSummary> errors;
  // Of the interval an answer would have had, "mete" alone. Absent: too few
  // networks to say.
  std::optional<double> coverage;
};

struct TrainOptions {
  size_t random_folds = 10;
  // Networks held out share folds when there are more of them than this.
  size_t network_folds = 60;
  uint64_t seed = 0;
  std::string mete_version;
  std::chrono::system_clock::time_point now;
  bool baselines = true;
};

// Told after each predictor fitted.
using TrainProgress = std::function<void(size_t done, size_t of)>;

// How often the device predicted to be fastest was the one measured to be
// (fastest_device.h).
struct FastestDevice {
  size_t cases = 0;
  size_t right = 0;
  double share() const {
    return cases == 0 ? 0
                      : static_cast<double>(right) / static_cast<double>(cases);
  }
};

struct Trained {
  TreePredictor predictor;  // refitted on all usable rows
  std::vector<Validation> validations;
  struct Importance {
    std::string column;
    double gain = 0;  // share
  };
  std::vector<Importance> importance;  // largest first
  HeldOut network_out;    // of "mete", for whoever wants to look closer
  FastestDevice fastest;  // of networks not seen
};

// Fails with kInvalidInput when there are too few rows or networks, and with
// kInterrupted when `stop` is requested.
Result<Trained> TrainLatency(const TrainRequest& request,
                             const TrainOptions& options,
                             const TrainProgress& progress,
                             std::stop_token stop);

}  // namespace mete
