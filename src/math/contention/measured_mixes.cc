#include "contention/measured_mixes.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "learn/folds.h"
#include "stats/quantile.h"
#include "support/random.h"

namespace mete {
namespace {

bool CanBeHeldOut(const MeasuredMix& mix) {
  return mix.kind() == MixKind::kRandom || mix.kind() == MixKind::kActive;
}

// Indices of the mixes that may be held out.
std::vector<size_t> FreeMixes(std::span<const MeasuredMix> mixes) {
  std::vector<size_t> free;
  for (size_t i = 0; i < mixes.size(); ++i) {
    if (CanBeHeldOut(mixes[i])) free.push_back(i);
  }
  return free;
}

MixSplit SplitBy(std::span<const MeasuredMix> mixes,
                 const std::set<size_t>& test) {
  MixSplit split;
  for (size_t i = 0; i < mixes.size(); ++i) {
    (test.contains(i) ? split.test : split.train).push_back(mixes[i]);
  }
  return split;
}

bool HasLoad(const MixObservation& row) {
  return row.tenant.instances > 0 && std::isfinite(row.tenant.rate) &&
         row.tenant.rate > 0;
}

}  // namespace

std::vector<Tenant> MeasuredMix::Tenants() const {
  std::vector<Tenant> tenants;
  for (const MixObservation& row : rows) tenants.push_back(row.tenant);
  return tenants;
}

std::vector<MeasuredMix> GroupByMix(std::span<const MixObservation> rows) {
  std::vector<MeasuredMix> mixes;
  for (const MixObservation& row : rows) {
    if (!HasLoad(row)) continue;
    const bool continues = !mixes.empty() && mixes.back().id() == row.mix &&
                           mixes.back().rows.front().device == row.device;
    if (!continues) mixes.emplace_back();
    mixes.back().rows.push_back(row);
  }
  return mixes;
}

std::optional<double> MeasuredTime(const MixObservation& row,
                                   const TimeLabel& label) {
  const RequestTimes& times =
      label.kind == TimeKind::kService ? row.service : row.sojourn;
  const std::optional<double>* fields[] = {&times.mean, &times.p50, &times.p75,
                                           &times.p95, &times.p99};
  const auto& time = *fields[static_cast<size_t>(label.statistic)];
  if (!time || !std::isfinite(*time) || *time <= 0) return std::nullopt;
  return time;
}

std::vector<std::string> ApplicationsIn(std::span<const MeasuredMix> mixes) {
  std::set<std::string> names;
  for (const MeasuredMix& mix : mixes) {
    for (const MixObservation& row : mix.rows) {
      names.insert(row.tenant.application);
    }
  }
  return {names.begin(), names.end()};
}

std::map<std::string, TimesAlone> FindTimesAlone(
    std::span<const MeasuredMix> mixes) {
  using Samples = std::array<std::vector<double>, kTimeKinds * kTimeStatistics>;
  std::map<std::string, Samples> alone;
  std::map<std::string, TimesAlone> times;
  for (const MeasuredMix& mix : mixes) {
    for (const MixObservation& row : mix.rows) {
      for (const TimeLabel& label : AllTimeLabels()) {
        const size_t i = IndexOf(label);
        std::optional<double> time = MeasuredTime(row, label);
        std::optional<double>& least = times[row.tenant.application][i];
        if (!time) continue;
        least = std::min(least.value_or(*time), *time);
        if (mix.kind() == MixKind::kBaseline && !row.saturated) {
          alone[row.tenant.application][i].push_back(*time);
        }
      }
    }
  }
  for (const auto& [name, samples] : alone) {
    for (size_t i = 0; i < samples.size(); ++i) {
      if (auto median = Quantile(samples[i], 0.5)) times[name][i] = *median;
    }
  }
  return times;
}

MixSplit HoldOut(std::span<const MeasuredMix> mixes,
                 const HoldOutRequest& request) {
  std::vector<size_t> free = FreeMixes(mixes);
  Random random(DeriveSeed(request.seed, "held-out mixes"));
  Shuffle(free, random);
  auto count = static_cast<size_t>(
      std::lround(request.share * static_cast<double>(free.size())));
  if (free.size() >= 2) count = std::clamp<size_t>(count, 1, free.size() - 1);
  free.resize(std::min(count, free.size()));
  return SplitBy(mixes, {free.begin(), free.end()});
}

std::vector<MixSplit> MixFolds(std::span<const MeasuredMix> mixes,
                               const MixFoldRequest& request) {
  const std::vector<size_t> free = FreeMixes(mixes);
  std::vector<MixSplit> splits;
  for (const Fold& fold :
       RandomFolds(free.size(), request.folds, request.seed)) {
    std::set<size_t> test;
    for (size_t i : fold.test) test.insert(free[i]);
    splits.push_back(SplitBy(mixes, test));
  }
  return splits;
}

}  // namespace mete
