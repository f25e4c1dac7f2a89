#include "reference_networks/synthetic.h"

#include <cmath>
#include <numbers>
#include <string>

#include "reference_networks/architecture.h"
#include "support/check.h"
#include "support/random.h"

namespace mete {
namespace {

constexpr double kRate = 12000;         // samples per second
constexpr double kTurns = 1797.0 / 60;  // per second
constexpr double kDamping = 900;        // 1/s: an impact rings for about 3 ms
constexpr double kSlip = 0.01;          // jitter of the impacts
constexpr double kTwoPi = 2 * std::numbers::pi;

// Impacts per revolution of a 6205 bearing, the resonance they excite, and how
// much the load modulates them: an inner ring rotates through the load, an
// outer ring does not.
struct FaultPlace {
  double per_turn;
  double resonance;
  double modulation;
};
constexpr FaultPlace kPlaces[] = {
    {5.4152, 3000, 0.8}, {4.7135, 2400, 0.4}, {3.5848, 3500, 0.0}};
constexpr double kStrengths[] = {0.9, 1.6, 3.0};  // small, medium, large

void AddStrikes(std::vector<float>& signal, const FaultPlace& place,
                double strength, Random& random) {
  const double gap = 1 / (place.per_turn * kTurns);
  const auto end = static_cast<double>(signal.size()) / kRate;
  constexpr size_t kRinging = 80;  // samples until it has decayed
  for (double at = gap * random.Uniform(); at < end;
       at += gap * (1 + kSlip * random.Normal())) {
    double height = strength * (1 + 0.1 * random.Normal()) *
                    (1 + place.modulation * std::sin(kTwoPi * kTurns * at));
    auto first = static_cast<size_t>(std::ceil(at * kRate));
    for (size_t n = first; n < std::min(first + kRinging, signal.size()); ++n) {
      double since = static_cast<double>(n) / kRate - at;
      signal[n] +=
          static_cast<float>(height * std::exp(-kDamping * since) *
                             std::sin(kTwoPi * place.resonance * since));
    }
  }
}

}  // namespace

std::vector<float> SyntheticSignal(int64_t label, uint64_t seed) {
  CHECK(label >= 0 && label < kSyntheticClasses) << label;
  Random random(DeriveSeed(seed, "synthetic " + std::to_string(label)));
  std::vector<float> signal(kSyntheticWindows * kWindow);
  const double phase = kTwoPi * random.Uniform();
  for (size_t n = 0; n < signal.size(); ++n) {
    double turn = kTwoPi * kTurns * static_cast<double>(n) / kRate + phase;
    signal[n] =
        static_cast<float>(0.3 * std::sin(turn) + 0.15 * std::sin(2 * turn) +
                           0.3 * random.Normal());
  }
  if (label > 0) {
    AddStrikes(signal, kPlaces[(label - 1) % 3], kStrengths[(label - 1) / 3],
               random);
  }
  return signal;
}

}  // namespace mete
