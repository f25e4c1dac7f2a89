#include "place/scenario.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "place/neuro_catalogue.h"
#include "place/synthetic_costs.h"
#include "support/random.h"

namespace mete {
namespace {

constexpr std::array kScenarioKinds = {ScenarioKind::kS1, ScenarioKind::kS2,
                                       ScenarioKind::kS3};

// How the instances and the total rate of a request are drawn: uniform whole
// numbers, both ends included, and how they raise the price. NeuRO excludes the
// upper ends of the ranges it writes down (1-3, 2-10, 1-5 and 20-100); the
// divisors of its prices and its memory demand agree with that.
struct DrawRange {
  int fewest, most;      // instances
  int slowest, fastest;  // requests per second of all instances
  double raise;          // of the price
  double typical_rate, typical_instances;
};
constexpr DrawRange kLowRange = {1, 2, 1, 4, 0.1, 2.5, 1.5};
constexpr DrawRange kHighRange = {2, 9, 20, 99, 0.15, 50, 5};

// SLO statistics with the factor of the price.
struct SloOffer {
  SloStatistic statistic;
  double factor;
};
constexpr std::array<SloOffer, 3> kSloOffers = {{{SloStatistic::kMean, 0.8},
                                                 {SloStatistic::kP75, 0.9},
                                                 {SloStatistic::kP95, 1.0}}};

int DrawBetween(int low, int high, Random& random) {
  return low +
         static_cast<int>(random.Below(static_cast<uint64_t>(high - low + 1)));
}

std::vector<const NeuroApplication*> OfClass(RateClass rate) {
  std::vector<const NeuroApplication*> found;
  for (const NeuroApplication& one : kNeuroCatalogue) {
    if (one.rate == rate) found.push_back(&one);
  }
  return found;
}

const NeuroApplication& DrawApplication(ScenarioKind kind, Random& random) {
  if (kind == ScenarioKind::kS1) {
    return kNeuroCatalogue[random.Below(kNeuroCatalogue.size())];
  }
  const double real_time = kind == ScenarioKind::kS2 ? 0.4 : 0.9;
  const auto choices = OfClass(random.Uniform() < real_time ? RateClass::kHigh
                                                            : RateClass::kLow);
  return *choices[random.Below(choices.size())];
}

// Rounded so that the file shows what was drawn.
double RoundTo(double value, double unit) {
  return std::round(value * unit) / unit;
}

AppDemand DrawDemand(int number, ScenarioKind kind, Random& random) {
  const NeuroApplication& app = DrawApplication(kind, random);
  const DrawRange& range = app.rate == RateClass::kLow ? kLowRange : kHighRange;
  const int instances = DrawBetween(range.fewest, range.most, random);
  const int total_rate = DrawBetween(range.slowest, range.fastest, random);
  const SloOffer& offer = kSloOffers[random.Below(kSloOffers.size())];
  const double limit =
      app.slo_low_s + (app.slo_high_s - app.slo_low_s) * random.Uniform();
  const double price = app.base_price * offer.factor *
                       (1 + range.raise * total_rate / range.typical_rate +
                        range.raise * instances / range.typical_instances);
  return {.name = fmt::format("r{:04}", number),
          .application = std::string(app.name),
          .instances = instances,
          .rate = RoundTo(double(total_rate) / instances, 1e6),
          .price = RoundTo(price, 1e4),
          .slo = LatencySlo{.statistic = offer.statistic,
                            .time = SloTime::kService,
                            .limit = Seconds(RoundTo(limit, 1e6))},
          // NeuRO counts 1 GB as 1 of the 32 GB of a server.
          .memory = Bytes{static_cast<uint64_t>(
              std::llround(app.memory_gb * double(Gibibytes(1).count)))}};
}

ServerType MakeServers(std::string_view name, int rank, int count,
                       const ScenarioRequest& request) {
  const bool weak = name == kWeakServers;
  return {.name = std::string(name),
          .rank = rank,
          .count = count,
          .memory = request.memory,
          .cores = (weak ? kWeakServer : kStrongServer).cores,  // invented
          .costs = fmt::format("costs-{}.yaml", name)};
}

Status CheckScenario(const ScenarioRequest& request) {
  if (request.servers < 1 || request.servers > 100'000) {
    return InvalidInput("a scenario has 1 to 100,000 servers");
  }
  if (request.memory.count == 0) {
    return InvalidInput("the memory of a server must be positive");
  }
  if (!(request.rank_low >= 0 && request.rank_low <= 1)) {
    return InvalidInput("the share of low-rank servers is 0 to 1");
  }
  return {};
}

}  // namespace

Result<ScenarioKind> ParseScenarioKind(std::string_view text) {
  for (ScenarioKind kind : kScenarioKinds) {
    if (text == ToString(kind)) return kind;
  }
  return InvalidInput(fmt::format("'{}' is not s1, s2 or s3", text));
}

std::string_view ToString(ScenarioKind kind) {
  switch (kind) {
    case ScenarioKind::kS1:
      return "s1";
    case ScenarioKind::kS2:
      return "s2";
    case ScenarioKind::kS3:
      return "s3";
  }
  return "";
}

Result<PlacementProblem> MakeScenario(const ScenarioRequest& request) {
  RETURN_IF_ERROR(CheckScenario(request));
  PlacementProblem problem;
  Random random(DeriveSeed(request.seed, ToString(request.kind)));
  const int requests = kRequestsPerServer * request.servers;
  for (int i = 1; i <= requests; ++i) {
    problem.apps.push_back(DrawDemand(i, request.kind, random));
  }
  const int weak =
      static_cast<int>(std::lround(request.rank_low * request.servers));
  if (weak > 0) {
    problem.servers.push_back(MakeServers(kWeakServers, 1, weak, request));
  }
  if (weak < request.servers) {
    problem.servers.push_back(
        MakeServers(kStrongServers, 2, request.servers - weak, request));
  }
  return problem;
}

}  // namespace mete
