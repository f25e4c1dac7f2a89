#include "bench/contention/replay.h"

#include <fmt/format.h>

#include <cstdio>

#include "contention/active_selection.h"
#include "contention/comparison.h"
#include "contention/pressure_training.h"
#include "support/random.h"

namespace mete {
namespace {

constexpr uint64_t kSeeds = 3;
constexpr size_t kStart = 4;        // the same mixes for both
constexpr size_t kStep = 4;         // mixes between two points of a curve
constexpr size_t kCandidates = 24;  // as in a campaign

// Where a replay begins and what it may choose from.
struct Recording {
  std::vector<MeasuredMix> base;  // baselines, and pairs if they are used
  std::vector<MeasuredMix> pool;
  std::vector<MeasuredMix> test;
  std::vector<std::string> applications;
};

Recording MakeRecording(const std::vector<MeasuredMix>& mixes, uint64_t seed,
                        bool pairs) {
  const MixSplit split = HoldOut(mixes, {.share = 0.3, .seed = seed});
  Recording recording{.test = split.test,
                      .applications = ApplicationsIn(mixes)};
  for (const MeasuredMix& mix : split.train) {
    if (mix.kind() == MixKind::kBaseline ||
        (pairs && mix.kind() == MixKind::kPairwise)) {
      recording.base.push_back(mix);
    } else if (mix.kind() != MixKind::kPairwise) {
      recording.pool.push_back(mix);
    }
  }
  Random random(DeriveSeed(seed, "replay"));
  Shuffle(recording.pool, random);
  return recording;
}

ContentionErrors ErrorWith(const Recording& recording,
                           const std::vector<MeasuredMix>& measured) {
  PressureTrainingSet set(measured, recording.applications);
  const PressurePredictor predictor(
      {.applications = recording.applications,
       .network = FitPressures(set, {}),
       .margins = std::vector<LogMargins>(recording.applications.size())});
  return *ScoreContention(predictor, recording.test,
                          FindTimesAlone(recording.base), TimeKind::kService)
              .all;
}

// The candidate that a committee disagrees most about.
size_t ChooseActively(const Recording& recording,
                      const std::vector<MeasuredMix>& measured,
                      const std::vector<MeasuredMix>& left, uint64_t seed) {
  const PressureCommittee committee(
      measured, {.seed = seed, .applications = recording.applications});
  size_t chosen = 0;
  double most = -1;
  for (size_t i = 0; i < std::min(kCandidates, left.size()); ++i) {
    const double one = *committee.DisagreementOn(left[i].Tenants());
    if (one > most) {
      most = one;
      chosen = i;
    }
  }
  return chosen;
}

// Errors after kStart, kStart + kStep, … mixes.
using Curve = std::vector<ContentionErrors>;

Curve Replay(const Recording& recording, uint64_t seed, bool actively) {
  std::vector<MeasuredMix> measured = recording.base;
  std::vector<MeasuredMix> left = recording.pool;
  Curve curve;
  for (size_t count = 0; !left.empty(); ++count) {
    if (count >= kStart && (count - kStart) % kStep == 0) {
      curve.push_back(ErrorWith(recording, measured));
    }
    const size_t chosen = actively && count >= kStart
                              ? ChooseActively(recording, measured, left, seed)
                              : 0;
    measured.push_back(left[chosen]);
    left.erase(left.begin() + static_cast<int64_t>(chosen));
  }
  return curve;
}

void Accumulate(const Curve& curve, Curve& mean) {
  mean.resize(std::max(mean.size(), curve.size()));
  for (size_t i = 0; i < curve.size(); ++i) {
    mean[i].median += curve[i].median / kSeeds;
    mean[i].mean += curve[i].mean / kSeeds;
  }
}

// Single points of a curve are noisy: the mean of each and its neighbours.
std::vector<double> Smoothed(const Curve& curve,
                             double ContentionErrors::*error) {
  std::vector<double> means;
  for (size_t i = 0; i < curve.size(); ++i) {
    const size_t from = i == 0 ? 0 : i - 1;
    const size_t to = std::min(i + 2, curve.size());
    double sum = 0;
    for (size_t j = from; j < to; ++j) sum += curve[j].*error;
    means.push_back(sum / static_cast<double>(to - from));
  }
  return means;
}

// The number of mixes with which a curve first reaches a level.
std::string MixesUntil(const std::vector<double>& curve, double level) {
  for (size_t i = 0; i < curve.size(); ++i) {
    if (curve[i] <= level) return std::to_string(kStart + i * kStep);
  }
  return "more";
}

// How many mixes both need for the error of random with all mixes, and with
// half of them.
void PrintSavings(const Curve& random, const Curve& active, const char* name,
                  double ContentionErrors::*error) {
  const std::vector<double> by_random = Smoothed(random, error);
  const std::vector<double> by_active = Smoothed(active, error);
  for (size_t i : {by_random.size() / 2, by_random.size() - 1}) {
    fmt::print(
        "  {} error of {:.1f} %, as random with {} mixes: random first with "
        "{}, "
        "active with {}\n",
        name, 100 * by_random[i], kStart + i * kStep,
        MixesUntil(by_random, by_random[i]),
        MixesUntil(by_active, by_random[i]));
  }
}

void PrintCurves(const std::vector<MeasuredMix>& mixes, bool pairs) {
  Curve random;
  Curve active;
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const Recording recording = MakeRecording(mixes, seed, pairs);
    Accumulate(Replay(recording, seed, false), random);
    Accumulate(Replay(recording, seed, true), active);
  }
  fmt::print(
      "{}: error of service times on held-out mixes, mean of {} splits\n"
      "  mixes  random: median  mean   active: median  mean\n",
      pairs ? "After baselines and pairs" : "After baselines", kSeeds);
  for (size_t i = 0; i < random.size(); ++i) {
    fmt::print("  {:5}  {:13.1f} % {:4.1f} %  {:12.1f} % {:4.1f} %\n",
               kStart + i * kStep, 100 * random[i].median, 100 * random[i].mean,
               100 * active[i].median, 100 * active[i].mean);
  }
  PrintSavings(random, active, "median", &ContentionErrors::median);
  PrintSavings(random, active, "mean", &ContentionErrors::mean);
}

}  // namespace

void PrintReplay(const std::string& name,
                 const std::vector<MeasuredMix>& mixes) {
  fmt::print("\nReplay of {}\n", name);
  std::fflush(stdout);
  PrintCurves(mixes, false);
  std::fflush(stdout);
  PrintCurves(mixes, true);
}

}  // namespace mete
