#include "place/rival_curves.h"

#include <algorithm>
#include <vector>

namespace mete {
namespace {

// The rivals profile up to this number of instances.
constexpr int kMostProfiled = 16;

TwoPieceCurve::Piece Through(int n1, double t1, int n2, double t2) {
  const double slope = (t2 - t1) / (n2 - n1);
  return {.constant = t1 - slope * n1, .slope = slope};
}

}  // namespace

double TwoPieceCurve::At(double n) const {
  return std::max(low.constant + low.slope * n, high.constant + high.slope * n);
}

Result<TwoPieceCurve> FitTwoPieces(
    const std::function<Result<double>(int n)>& latency) {
  std::vector<double> times = {0};  // by instances
  for (int n = 1; n <= kMostProfiled; ++n) {
    ASSIGN_OR_RETURN(const double time, latency(n));
    times.push_back(time);
  }
  const TwoPieceCurve::Piece chord =
      Through(1, times[1], kMostProfiled, times.back());
  int elbow = 1;
  double deepest = 0;
  for (int n = 2; n < kMostProfiled; ++n) {
    const double below =
        chord.constant + chord.slope * n - times[static_cast<size_t>(n)];
    if (below > deepest) {
      deepest = below;
      elbow = n;
    }
  }
  if (elbow == 1) return TwoPieceCurve{.low = chord, .high = chord};
  const double at_elbow = times[static_cast<size_t>(elbow)];
  return TwoPieceCurve{
      .low = Through(1, times[1], elbow, at_elbow),
      .high = Through(elbow, at_elbow, kMostProfiled, times.back())};
}

}  // namespace mete
