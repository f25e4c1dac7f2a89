// What the rivals of NeuRO believe about contention: curves of latency over a
// number of instances, reduced to two straight pieces for an integer program.
#pragma once

#include <functional>

#include "support/result.h"

namespace mete {

// max(constant + slope * n), over both pieces: convex.
struct TwoPieceCurve {
  struct Piece {
    double constant = 0;
    double slope = 0;
  };
  Piece low;
  Piece high;
  double At(double n) const;
};

// Through the curve at 1, at its elbow and at 16 instances; the elbow is the
// point farthest below the chord (Kneedle, as in NeuRO's driver). A curve that
// is not convex becomes its chord.
Result<TwoPieceCurve> FitTwoPieces(
    const std::function<Result<double>(int n)>& latency);

}  // namespace mete
