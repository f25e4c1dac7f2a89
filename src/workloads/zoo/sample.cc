#include "zoo/sample.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "zoo/sample_kinds.h"

namespace mete {
namespace {

constexpr uint64_t kMostWeights = 30'000'000;  // 120 MB of float32
constexpr double kLeastMacs = 1e5;
constexpr uint64_t kMostMacs = 3'200'000'000;
constexpr int kCandidates = 24;

std::vector<SampleKind> AllKinds() {
  std::vector<SampleKind> kinds;
  for (const SampleKind& kind : ConvolutionKinds()) kinds.push_back(kind);
  for (const SampleKind& kind : SequenceKinds()) kinds.push_back(kind);
  return kinds;
}

// Ratio of two amounts of work, at least 1.
double Apart(uint64_t macs, double target) {
  double ratio = static_cast<double>(macs) / target;
  return std::max(ratio, 1 / ratio);
}

// Free choices would cluster in the middle of the range. So the work is drawn
// first, and the nearest of several free choices is taken.
Candidate Choose(const SampleKind& kind, const std::string& name, Rng& rng) {
  const double target = rng.Between(kLeastMacs, kind.most_macs);
  std::optional<Candidate> nearest;
  for (int drawn = 0; drawn < kCandidates;) {
    Candidate candidate = kind.draw(name, rng);
    if (candidate.net.weights() > kMostWeights ||
        candidate.net.macs() > kMostMacs)
      continue;
    ++drawn;
    if (!nearest || Apart(candidate.net.macs(), target) <
                        Apart(nearest->net.macs(), target))
      nearest = std::move(candidate);
  }
  return *std::move(nearest);
}

}  // namespace

double Rng::Between(double low, double high) {
  constexpr double kStep = 1.02;
  uint64_t steps = 0;
  for (double x = low; x * kStep <= high; x *= kStep) ++steps;
  double drawn = low;
  for (uint64_t i = random_.Below(steps + 1); i > 0; --i) drawn *= kStep;
  return drawn;
}

int64_t Rng::Size(int64_t low, int64_t high, int64_t unit) {
  // Up to the next whole number, otherwise `high` itself would hardly ever be
  // drawn.
  double drawn =
      Between(static_cast<double>(low), static_cast<double>(high + 1));
  int64_t whole = std::min(static_cast<int64_t>(drawn), high);
  return std::max(whole / unit, int64_t{1}) * unit;
}

std::vector<std::string> SampleKinds() {
  std::vector<std::string> names;
  for (const SampleKind& kind : AllKinds()) names.emplace_back(kind.name);
  return names;
}

Sample DrawSample(uint64_t seed, size_t index) {
  const std::vector<SampleKind> kinds = AllKinds();
  const SampleKind& kind = kinds[index % kinds.size()];
  const std::string name = fmt::format("sample-{:04}-{}", index, kind.name);
  const uint64_t own_seed = DeriveSeed(seed, name);
  Rng rng(own_seed);
  Candidate chosen = Choose(kind, name, rng);
  const uint64_t macs = chosen.net.macs();
  return {.draft = std::move(chosen.net).Finish(chosen.output, own_seed),
          .kind = kind.name,
          .macs = macs};
}

NetworkDraft SampleDraft(uint64_t seed, size_t index) {
  return DrawSample(seed, index).draft;
}

}  // namespace mete
