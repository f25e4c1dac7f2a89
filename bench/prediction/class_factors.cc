#include "bench/prediction/class_factors.h"

#include <algorithm>

namespace mete {
namespace {

// Weight of the pull towards the common factor, in rows.
constexpr double kPull = 3;
constexpr int kRounds = 200;

}  // namespace

// Minimises sum_r (sum_i f_i x_ri - 1)^2 + kPull sum_i s_i (f_i - c)^2 over
// f >= 0 by coordinate descent, x_ri being term i of row r over its measured
// seconds, s_i the mean of x_ri^2 and c the best common factor.
RooflineTerms FitFactors(std::span<const FactorRow> rows) {
  RooflineTerms factors;
  std::vector<RooflineTerms> x;
  double sum = 0;
  double square = 0;
  for (const FactorRow& row : rows) {
    RooflineTerms scaled = row.terms;
    double whole = 0;
    for (double& term : scaled) whole += (term /= row.idle_seconds);
    sum += whole;
    square += whole * whole;
    x.push_back(scaled);
  }
  double common = square > 0 ? sum / square : 1;
  factors.fill(common);
  RooflineTerms squares{};
  std::vector<double> residual;
  for (const RooflineTerms& row : x) {
    double whole = 0;
    for (size_t i = 0; i < kRooflineTerms; ++i) {
      squares[i] += row[i] * row[i];
      whole += common * row[i];
    }
    residual.push_back(1 - whole);
  }
  auto count = static_cast<double>(rows.size());
  for (int round = 0; round < kRounds; ++round) {
    for (size_t i = 0; i < kRooflineTerms; ++i) {
      double pull = kPull * squares[i] / count;
      if (squares[i] + pull <= 0) continue;
      double slope = pull * (common - factors[i]);
      for (size_t r = 0; r < x.size(); ++r) slope += residual[r] * x[r][i];
      double next = std::max(0.0, factors[i] + slope / (squares[i] + pull));
      double change = next - factors[i];
      factors[i] = next;
      for (size_t r = 0; r < x.size(); ++r) residual[r] -= change * x[r][i];
    }
  }
  return factors;
}

}  // namespace mete
