// The analytic estimate a predictor starts from: the time a network's work
// takes at the rates its device reaches.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "domain/network_traits.h"
#include "predict/conditions.h"

namespace mete {

// One term for each class of work, and one for the number of nodes.
inline constexpr size_t kRooflineTerms = kWorkClasses + 1;
inline constexpr size_t kOverheadTerm = kWorkClasses;
using RooflineTerms = std::array<double, kRooflineTerms>;

// Seconds each work class would take on the idle device: operations over
// compute rate or bytes over bandwidth, whichever is longer (Williams, Waterman
// and Patterson, "Roofline: an insightful visual performance model", CACM 52
// (2009)), and the engine's overhead for each node.
RooflineTerms ComputeTerms(const NetworkTraits& network,
                           const EngineSpeed& speed);

// How much longer work takes because other processes use `load` of the CPUs.
// The engine gets the rest of them and needs at most one CPU per thread. At
// least 1.
double Slowdown(const DeviceConditions& conditions);

// Computes seconds from the terms and the load.
struct Roofline {
  double load_exponent = 1;  // exponent of the slowdown

  double Seconds(const RooflineTerms& terms, double slowdown) const;
};

// One measured row, reduced to the effect of the load.
struct LoadRow {
  double slowdown = 1;
  double seconds = 0;
  std::string device;
  std::string pair;  // network and device; rows of a pair differ only in load
};

// The smallest exponent found on any device between neighbouring loads of a
// pair (medians over pairs, within [0, 1]). The correction on top of the
// estimate adds any further cost of load, so that the result never falls when
// load rises. Returns 1 when there are too few rows.
double LoadExponent(std::span<const LoadRow> rows);

}  // namespace mete
