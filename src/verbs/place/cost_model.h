// What placing asks about latency: how services on one type of server slow
// each other down. Wiring supplies it: from a cost table, or from a trained
// predictor of contention.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "place/placement_problem.h"
#include "support/result.h"
#include "support/units.h"

namespace mete {

// weights . p <= bound, for the sum p of the pressures on a server. Weights are
// not negative.
struct PressureLimit {
  std::vector<double> weights;
  double bound = 0;
};

// Which latency of which application.
struct LatencyQuestion {
  std::string application;
  double rate = 0;  // requests per second of one instance
  SloStatistic statistic = SloStatistic::kP95;
  SloTime time = SloTime::kService;
};

// A predicted latency. `high` is the upper end of its interval; it has to meet
// an SLO if there is one. A saturated application cannot keep up with its
// requests: the latency is at least `time`, and no SLO is met.
struct LatencyAnswer {
  Seconds time{0};
  std::optional<Seconds> high{};
  bool saturated = false;
};

// The contention on servers of one type. Every instance adds a vector of
// pressures, and latencies grow with the sum. Thread-safe.
class CostModel {
 public:
  virtual ~CostModel() = default;

  // What it is, for the plan: "cost table costs-weak.yaml (synthetic)".
  virtual std::string Describe() const = 0;
  virtual size_t pressures() const = 0;
  // Sorted.
  virtual std::vector<std::string> Applications() const = 0;

  // What one instance adds. Fails with kNotFound and the known applications.
  virtual Result<std::vector<double>> PressureOf(const std::string& application,
                                                 double rate) const = 0;
  // The latency is at most `limit` and the application not saturated if and
  // only if all of these hold. Fails with kNotFound too, and with kUnsupported
  // for a time that it does not know.
  virtual Result<std::vector<PressureLimit>> LimitsFor(
      const LatencyQuestion& question, Seconds limit) const = 0;
  // The latency under this sum of pressures, which includes the application's
  // own. Computed without LimitsFor, so that it can verify it.
  virtual Result<LatencyAnswer> LatencyUnder(
      const LatencyQuestion& question,
      std::span<const double> pressure) const = 0;
  // CPU time of one request; absent: not known.
  virtual std::optional<Seconds> CpuTimeOf(
      const std::string& application) const = 0;
};

}  // namespace mete
