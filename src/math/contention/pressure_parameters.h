// The free parameters behind a network of pressures: any real numbers give a
// network that is monotone, convex and without crossing quantiles.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "contention/pressure_network.h"

namespace mete {

// What fixes the number of parameters.
struct PressureShape {
  size_t applications = 0;
  size_t pressures = 1;
  size_t pieces = 3;  // of every head
  double cores = 1;   // where training starts: how much a device holds
};

// A normal prior of one parameter; training starts at its centre.
struct ParameterPrior {
  double centre = 0;
  double deviation = 1;
};

// Maps parameters to networks, and gradients back. Every number of a network is
// a sum of terms, each a sum of parameters or the exponential of such a sum:
//   slope[a][p95][j] = exp(s50[j] + e[a]) + exp(s75[j] + e[a]) + …
// Applications share most parameters and deviate from them by e[a].
class PressureParameters {
 public:
  explicit PressureParameters(const PressureShape& shape);

  std::span<const ParameterPrior> priors() const { return priors_; }
  // Sets the service times alone to 1: the caller knows them.
  PressureNetwork ToNetwork(std::span<const double> parameters) const;
  // `slopes` holds derivatives by the numbers of the network in their places.
  std::vector<double> ToGradient(std::span<const double> parameters,
                                 PressureNetwork& slopes) const;
  // A network of this shape with all numbers at 0.
  PressureNetwork Zero() const;

 private:
  struct Term {
    std::vector<size_t> parameters;  // summed
    bool exponential = false;
  };
  using Terms = std::vector<Term>;

  size_t Add(ParameterPrior prior);
  Term Free(ParameterPrior prior) { return {.parameters = {Add(prior)}}; }
  Term Positive(ParameterPrior prior) {
    return {.parameters = {Add(prior)}, .exponential = true};
  }
  void AddPressures();
  void AddOffsets();
  void AddPieces();
  void AddCurves();
  // The numbers of a network in the order of terms_.
  std::vector<double*> FieldsOf(PressureNetwork& network) const;
  static double SumOf(const Term& term, std::span<const double> parameters);

  PressureShape shape_;
  std::vector<ParameterPrior> priors_;
  std::vector<Terms> terms_;
};

}  // namespace mete
