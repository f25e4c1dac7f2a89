#include "reference_networks/transform.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "reference_networks/choice.h"
#include "reference_networks/resample.h"

namespace mete {
namespace {

constexpr Named<Normalisation> kNormalisations[] = {
    {"0-1", Normalisation::kZeroOne},
    {"1-1", Normalisation::kPlusMinus},
    {"mean-std", Normalisation::kMeanVariance}};

constexpr double kDeviation = 0.01;  // of the noise and of the factor
constexpr double kStretch = 0.3;     // between the shortest and the longest
constexpr size_t kCropped = 20;

// x becomes (x - from) * factor.
void Scale(std::span<float> window, double from, double factor) {
  for (float& sample : window) {
    sample = static_cast<float>((sample - from) * factor);
  }
}

bool Toss(Random& random) { return random.Uniform() < 0.5; }

void AddNoise(std::span<float> window, Random& random) {
  for (float& sample : window) {
    sample += static_cast<float>(kDeviation * random.Normal());
  }
}

void Stretch(std::span<float> window, Random& random) {
  const auto length = static_cast<double>(window.size());
  const auto stretched =
      static_cast<size_t>(length * (1 + kStretch * (random.Uniform() - 0.5)));
  std::vector<float> longer = Resampled(window, stretched);
  const bool head = Toss(random);
  if (stretched >= window.size()) {
    size_t skipped = head ? 0 : stretched - window.size();
    std::copy_n(longer.begin() + static_cast<std::ptrdiff_t>(skipped),
                window.size(), window.begin());
    return;
  }
  size_t filled = head ? 0 : window.size() - stretched;
  std::ranges::fill(window, 0.0F);
  std::ranges::copy(longer, window.subspan(filled).begin());
}

void Crop(std::span<float> window, Random& random) {
  size_t start = random.Below(window.size() - kCropped);
  std::ranges::fill(window.subspan(start, kCropped), 0.0F);
}

}  // namespace

Result<Normalisation> ParseNormalisation(std::string_view name) {
  return Choose(kNormalisations, "normalization", name);
}

void Normalise(std::span<float> window, Normalisation rule) {
  const auto [least, most] = std::ranges::minmax(window);
  if (!(least < most)) {
    std::ranges::fill(window, 0.0F);
    return;
  }
  const double width = static_cast<double>(most) - least;
  if (rule == Normalisation::kZeroOne) return Scale(window, least, 1 / width);
  if (rule == Normalisation::kPlusMinus) {
    return Scale(window, least + width / 2, 2 / width);
  }
  const auto count = static_cast<double>(window.size());
  const double mean =
      std::accumulate(window.begin(), window.end(), 0.0) / count;
  double squares = 0;
  for (float sample : window) squares += (sample - mean) * (sample - mean);
  Scale(window, mean, 1 / std::sqrt(squares / count));
}

void Augment(std::span<float> window, Random& random) {
  if (Toss(random)) AddNoise(window, random);
  if (Toss(random)) Scale(window, 0, 1 + kDeviation * random.Normal());
  if (Toss(random)) Stretch(window, random);
  if (Toss(random)) Crop(window, random);
}

}  // namespace mete
