// The analytic estimate a predictor starts from: what the work of a network
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

// Seconds each class would take on the idle device: work over compute rate or
// bytes over bandwidth, whichever is longer (Williams, Waterman and Patterson,
// "Roofline: an insightful visual performance model", CACM 52 (2009)), and the
// engine's overhead of each node.
RooflineTerms ComputeTerms(const NetworkTraits& network,
                           const EngineSpeed& speed);

// How much longer work takes because others use `load` of the CPUs: the engine
// gets what is left of them, and needs at most its threads. At least 1.
double Slowdown(const DeviceConditions& conditions);

// How the terms and the load become seconds.
struct Roofline {
  double load_exponent = 1;  // of Slowdown

  double Seconds(const RooflineTerms& terms, double slowdown) const;
};

// What one measured row says of the load.
struct LoadRow {
  double slowdown = 1;
  double seconds = 0;
  std::string device;
  std::string pair;  // of network and device: rows that differ in load alone
};

// The smallest exponent found on any device between neighbouring loads of a
// pair (medians over pairs, within [0, 1]): what load costs beyond it is added
// by whoever corrects the estimate, so that the whole never falls when load
// rises. 1 for too few rows.
double LoadExponent(std::span<const LoadRow> rows);

}  // namespace mete
