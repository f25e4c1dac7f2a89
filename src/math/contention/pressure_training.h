// Trains networks of pressures from measured mixes.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>

#include "contention/measured_mixes.h"
#include "contention/pressure_parameters.h"
#include "contention/pressure_predictor.h"

namespace mete {

// Times up to this multiple of those alone have the full weight: an objective
// of three times the time alone, and twice that, where predictions decide.
inline constexpr double kObjectiveSlowdown = 3;
inline constexpr double kSloRegion = 2 * kObjectiveSlowdown;

// The rows of mixes as numbers, ready for training.
class PressureTrainingSet {
 public:
  // Weights of mixes repeat them; empty: each counts once.
  PressureTrainingSet(std::span<const MeasuredMix> mixes,
                      std::vector<std::string> applications,
                      std::span<const double> weights = {});

  // The negative logarithm of the posterior, and its gradient. Public for
  // tests.
  double Loss(const PressureParameters& shape,
              std::span<const double> parameters,
              std::vector<double>& gradient) const;
  // Turns units of the times alone into seconds, and notes up to which
  // utilisation and slowdown tenants kept up.
  PressureNetwork InSeconds(PressureNetwork network) const;
  const std::vector<std::string>& applications() const { return applications_; }
  double cores() const { return cores_; }
  size_t rows() const { return rows_.size(); }

 private:
  // A measured statistic of a row.
  struct Target {
    size_t label = 0;
    double log_time = 0;  // over the time alone
    double weight = 0;
    bool least = false;  // saturated: the time is at least this
  };
  struct Row {
    size_t application = 0;
    double instances = 1;
    double demand = 0;
    std::vector<Target> targets;
  };
  struct Group {
    size_t begin = 0;
    size_t end = 0;
  };

  void AddTargets(const MixObservation& from, double weight, Row& row) const;
  double GroupLoss(const Group& group, const PressureNetwork& network,
                   PressureNetwork& slopes) const;
  double RowLoss(const Row& row, const PressureVector& others,
                 const PressureNetwork& network, PressureNetwork& slopes,
                 PressureVector& by_others) const;

  std::vector<std::string> applications_;
  std::vector<TimesAlone> alone_;
  std::vector<Row> rows_;
  std::vector<Group> groups_;
  double cores_ = 1;
  double stable_utilisation_ = 0;  // 0: no tenant kept up
  double largest_slowdown_ = 1;    // of tenants that kept up
};

// Options of one fit.
struct PressureFit {
  size_t pressures = 2;
  size_t pieces = 3;
  size_t starts = 1;  // the best of so many descents
  size_t steps = 1000;
  uint64_t seed = 1;
};
PressureNetwork FitPressures(const PressureTrainingSet& set,
                             const PressureFit& fit);

// What a training should try.
struct PressureTrainingRequest {
  std::vector<size_t> pressures{1, 2, 3, 4};  // chosen by validation
  size_t folds = 5;
  size_t starts = 2;
  size_t steps = 1000;
  uint64_t seed = 1;
};

// Fits done, of all.
using OnFit = std::function<void(size_t done, size_t of)>;

// The number of pressures with the smallest error on held-out mixes, fitted to
// all mixes; margins from the errors on held-out mixes. Fails with
// kInvalidInput when the mixes do not suffice, and with kInterrupted.
Result<PressurePredictor> TrainPressures(std::span<const MeasuredMix> mixes,
                                         const PressureTrainingRequest& request,
                                         const OnFit& on_fit = {},
                                         const std::stop_token& stop = {});

}  // namespace mete
