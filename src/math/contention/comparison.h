// Compares predictors of contention on the same held-out mixes.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "contention/contention_predictor.h"
#include "contention/measured_mixes.h"
#include "support/json_fwd.h"

namespace mete {

// Errors of predicted times of one kind: mean, p75 and p95, which all methods
// predict. Relative errors are |predicted - measured| / measured. Median, mean
// and pinball loss are those of predicted values; where only a bound was
// predicted, the time counts as missed in the shares.
struct ContentionErrors {
  size_t times = 0;   // values and bounds
  size_t bounds = 0;  // at least so long, because the tenant cannot keep up
  double median = 0;
  double mean = 0;
  double within_10 = 0;  // share of times off by at most 10 %
  double within_25 = 0;
  // Mean pinball loss of log times: at level 0.75 of p75 and 0.95 of p95, which
  // makes predicting too little expensive, and at 0.5 of the mean.
  double pinball = 0;
};

// What a predictor knows about tenants that cannot keep up.
struct SaturationScore {
  size_t saturated = 0;     // tenants that could not keep up
  size_t recognized = 0;    // of those
  size_t stable = 0;        // tenants that kept up
  size_t false_alarms = 0;  // of those
  // Bounds on measured times of saturated tenants, and how many were right.
  size_t bounds = 0;
  size_t held = 0;
};

// How one predictor did.
struct ContentionScore {
  std::string method;
  // All stable tenants; absent if none was predicted.
  std::optional<ContentionErrors> all;
  std::map<std::string, ContentionErrors> by_application;
  // Those up to kSloRegion times their time alone.
  std::optional<ContentionErrors> near_objective;
  // Tenants that could not keep up: their times depend on the window.
  std::optional<ContentionErrors> saturated;
  // Share of mixes in which the mean of every stable tenant is off by at most
  // 25 %.
  std::optional<double> mixes_within_25;
  // Share of measured times inside their intervals; absent without intervals.
  std::optional<double> coverage;
  // Absent for methods that predict a value for every load.
  std::optional<SaturationScore> saturation;
  double training_s = 0;
};

// Scores for one kind of time. `alone` bounds the region of objectives.
ContentionScore ScoreContention(const ContentionPredictor& predictor,
                                std::span<const MeasuredMix> test,
                                const std::map<std::string, TimesAlone>& alone,
                                TimeKind kind);

// Scores of all methods, by kind of time, in the order of training.
struct ContentionComparison {
  uint64_t seed = 0;
  size_t training_mixes = 0;
  size_t test_mixes = 0;
  std::array<std::vector<ContentionScore>, kTimeKinds> scores;
};

// Index of the method with the smallest median relative error of service times;
// absent if none predicted anything.
std::optional<size_t> FindBest(const ContentionComparison& comparison);

std::string ComparisonText(const ContentionComparison& comparison);
std::string ComparisonCsv(const ContentionComparison& comparison);
Json ComparisonToJson(const ContentionComparison& comparison);

}  // namespace mete
