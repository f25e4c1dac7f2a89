// The predictor in use: boosted trees that correct an analytic estimate, with
// conformal intervals and a record of how it was trained.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "learn/flat_trees.h"
#include "predict/latency_features.h"
#include "predict/latency_predictor.h"
#include "predict/roofline.h"
#include "support/json.h"
#include "support/result.h"

namespace mete {

// The quantity that a predictor estimates.
enum class Quantity { kSeconds, kJoules };

// Smallest and largest value of a column in training.
struct ColumnRange {
  float low = 0;
  float high = 0;
};

// How a predictor was trained.
struct Provenance {
  size_t rows = 0;
  size_t networks = 0;
  std::vector<std::string> devices;
  std::vector<std::string> engines;
  std::string table_sha256;  // hash of the rows it was trained from
  uint64_t seed = 0;         // seed of the folds and of the trees' samples
  std::string mete_version;
  std::chrono::system_clock::time_point trained_at;
  bool bundled = false;  // bundled with the program
};

// Log of the estimate before the trees correct it. Counts do not describe the
// work, so for them it is the time of one operation.
double LogBase(FeatureKind kind, const Roofline& roofline,
               const NetworkQuestion& question,
               const DeviceConditions& conditions);

// Predicts seconds or joules per inference: the roofline estimate times a
// correction by boosted trees, with a 90 % interval.
class TreePredictor : public LatencyPredictor {
 public:
  static constexpr int kVersion = 2;

  // Everything that is stored in a predictor file.
  struct Parts {
    FeatureKind kind = FeatureKind::kFull;
    Quantity quantity = Quantity::kSeconds;
    Roofline roofline;
    FlatTrees trees;
    std::vector<ColumnRange> ranges;  // one per column
    double radius = 0;                // half the 90 % interval, in log seconds
    // The same for the log ratio between two devices running one network.
    std::optional<double> ratio_radius;
    Provenance provenance;
    Json errors;  // results of validation, as in `mete train -o json`
  };

  explicit TreePredictor(Parts parts);

  // Reads a document that ToJson wrote. Fails with kCorrupt, or with
  // kUnsupported and the reason when it was written for other columns or by a
  // newer mete.
  static Result<TreePredictor> FromJson(const Json& json);
  Json ToJson() const;

  std::vector<Estimate> Predict(const NetworkQuestion& question,
                                std::span<const ClusterNode* const> nodes,
                                Detail detail) const override;
  Estimate Predict(const NetworkQuestion& question,
                   const DeviceConditions& conditions) const;
  const std::string& origin() const override { return origin_; }
  const Parts& parts() const { return parts_; }

 private:
  // How far a value lies outside the training range.
  double Excess(size_t column, float value) const;
  // What a column is a property of.
  enum class Owner { kNetwork, kDevice };
  std::vector<std::string> DescribeBeyond(std::span<const float> row,
                                          Owner owner) const;
  Estimate Finish(double log_value, std::span<const float> row,
                  const DeviceConditions& conditions, Detail detail) const;

  Parts parts_;
  std::string origin_;
};

}  // namespace mete
