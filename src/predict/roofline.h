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
RooflineTerms TermsOf(const NetworkTraits& network, const EngineSpeed& speed);

// How much longer work takes because others use `load` of the CPUs: the engine
// gets what is left of them, and needs at most its threads. At least 1.
double Slowdown(const DeviceConditions& conditions);

// What a term of a known network contributes is scaled by how well the engine
// does on that class, learnt from measured rows.
struct Roofline {
  RooflineTerms factors;
  double load_exponent = 1;  // of Slowdown

  Roofline() { factors.fill(1); }
  double Seconds(const RooflineTerms& terms, double slowdown) const;
};

// What one measured row says.
struct RooflineRow {
  RooflineTerms terms;
  double slowdown = 1;
  double seconds = 0;
  std::string device;
  std::string pair;  // of network and device: rows that differ in load alone
};

// Factors >= 0 by least squares on relative errors, pulled towards one common
// factor where the rows do not tell the classes apart. The exponent is the
// smallest found on any device between neighbouring loads of a pair (medians
// over pairs, within [0, 1]): what load costs beyond it is added by whoever
// corrects the estimate, so that the whole never falls when load rises. Plain
// (all 1) for no rows.
Roofline FitRoofline(std::span<const RooflineRow> rows);

}  // namespace mete
