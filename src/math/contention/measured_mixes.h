// Rows of a contention table, grouped by mix, and how they are split for
// validation.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "contention/contention_predictor.h"
#include "domain/mix_observation.h"

namespace mete {

// One mix as it was measured: a row for each tenant.
struct MeasuredMix {
  std::vector<MixObservation> rows;

  const std::string& id() const { return rows.front().mix; }
  MixKind kind() const { return rows.front().kind; }
  std::vector<Tenant> Tenants() const;
};

// In the order of the table. Mixes of two devices or campaigns may share an id;
// rows that do not follow one another belong to different mixes. Rows without
// any load are left out.
std::vector<MeasuredMix> GroupByMix(std::span<const MixObservation> rows);

// The measured time of a row in seconds. Absent if it was not measured or is
// not positive.
std::optional<double> MeasuredTime(const MixObservation& row,
                                   const TimeLabel& label);

// The names in the mixes, sorted.
std::vector<std::string> ApplicationsIn(std::span<const MeasuredMix> mixes);

// Times of every application without others: medians over its baselines, or its
// smallest times if it has none. Absent where nothing was measured.
using TimesAlone =
    std::array<std::optional<double>, kTimeKinds * kTimeStatistics>;
std::map<std::string, TimesAlone> FindTimesAlone(
    std::span<const MeasuredMix> mixes);

// Mixes to train with and mixes to test with.
struct MixSplit {
  std::vector<MeasuredMix> train;
  std::vector<MeasuredMix> test;
};

// Holds out this share of the random and active mixes, at least one if there
// are two, chosen by the seed. Baselines and pairs are always for training.
struct HoldOutRequest {
  double share = 0.3;
  uint64_t seed = 1;
};
MixSplit HoldOut(std::span<const MeasuredMix> mixes,
                 const HoldOutRequest& request);

// The same in turns: every random or active mix is tested once. No folds if
// there are fewer than two of them.
struct MixFoldRequest {
  size_t folds = 5;
  uint64_t seed = 1;
};
std::vector<MixSplit> MixFolds(std::span<const MeasuredMix> mixes,
                               const MixFoldRequest& request);

}  // namespace mete
