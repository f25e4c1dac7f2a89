#include "bench/contention/cost.h"

#include <fmt/format.h>

#include <algorithm>

#include "contention/deepsets_points.h"
#include "contention/deepsets_predictor.h"
#include "contention/test_pressure.h"
#include "stats/quantile.h"
#include "support/check.h"
#include "support/clock.h"

namespace mete {
namespace {

constexpr size_t kTenants = 5;  // on the server
constexpr size_t kServers = 256;
constexpr int kRounds = 41;

// Median nanoseconds of CPU time per application over rounds, which other
// programs do not change much; `evaluate` handles a server and returns
// something that depends on the result.
template <typename Evaluate>
double NanosecondsPerApplication(Evaluate evaluate) {
  const SystemClock clock;
  std::vector<double> rounds;
  size_t kept = 0;
  for (int round = 0; round < kRounds; ++round) {
    const Seconds begin = clock.ProcessCpu();
    for (size_t server = 0; server < kServers; ++server) {
      kept += evaluate(server);
    }
    const double spent = (clock.ProcessCpu() - begin).count();
    rounds.push_back(1e9 * spent / static_cast<double>(kServers * kTenants));
  }
  // Used so that nothing is optimized away.
  CHECK(kept > 0) << "nothing was evaluated";
  return *Quantile(rounds, 0.5);
}

std::vector<std::vector<Tenant>> RandomServers() {
  Random random(7);
  std::vector<std::vector<Tenant>> servers;
  const std::string names[] = {"alpha", "beta", "gamma"};
  for (size_t i = 0; i < kServers; ++i) {
    std::vector<Tenant> tenants;
    for (size_t t = 0; t < kTenants; ++t) {
      tenants.push_back({.application = names[random.Below(3)],
                         .instances = static_cast<int>(1 + random.Below(4)),
                         .rate = 1 + 20 * random.Uniform()});
    }
    servers.push_back(std::move(tenants));
  }
  return servers;
}

// What an optimizer keeps of a request.
struct Placed {
  PressureVector pressure;  // of all its instances
  PressureRegion region;
};

std::vector<std::vector<Placed>> Prepare(
    const PressurePredictor& predictor,
    const std::vector<std::vector<Tenant>>& servers) {
  std::vector<std::vector<Placed>> prepared;
  for (const auto& tenants : servers) {
    std::vector<Placed> placed;
    for (const Tenant& tenant : tenants) {
      Placed one;
      one.pressure.Add(*predictor.PressureOf(tenant.application, tenant.rate),
                       tenant.instances);
      const TimeLabel p95{.kind = TimeKind::kSojourn,
                          .statistic = TimeStatistic::kP95};
      one.region = *predictor.RegionOf({.application = tenant.application,
                                        .rate = tenant.rate,
                                        .label = p95,
                                        .limit = Seconds(1e9)},
                                       Margin::kUpperEnd);
      placed.push_back(std::move(one));
    }
    prepared.push_back(std::move(placed));
  }
  return prepared;
}

// The distance to the row that is violated most. Unlike Contains, it looks at
// all rows, so the cost does not depend on how many objectives are met.
double LargestExcess(const PressureRegion& region, const PressureVector& sum) {
  double excess = -1e300;
  for (const RegionRow& row : region.rows) {
    excess = std::max(excess, Dot(row.weights, sum) - row.bound);
  }
  return excess;
}

DeepSetsNetwork RandomNetwork(size_t applications) {
  Random random(3);
  DeepSetsNetwork network = EmptyDeepSets(applications);
  for (float& one : network.embedding) {
    one = static_cast<float>(random.Normal());
  }
  for (auto* part : {&network.element, &network.time}) {
    for (DenseLayer& layer : *part) {
      for (float& one : layer.weights) {
        one = static_cast<float>(random.Normal() / 8);
      }
    }
  }
  return network;
}

double CostOfDeepSets() {
  const DeepSetsNetwork network = RandomNetwork(9);
  Random random(11);
  std::vector<DeepSetsElement> elements;
  for (size_t i = 0; i < kTenants; ++i) {
    elements.push_back({.application = random.Below(9),
                        .instances = 2,
                        .rate = 10 * random.Uniform()});
  }
  return NanosecondsPerApplication([&](size_t server) {
    size_t kept = 0;
    elements[0].rate = static_cast<double>(server);
    for (size_t t = 0; t < kTenants; ++t) {
      // Every application beside the other four.
      std::swap(elements[0], elements[t]);
      kept +=
          network.Evaluate(elements[0], std::span(elements).subspan(1))[0] > 0;
      std::swap(elements[0], elements[t]);
    }
    return kept;
  });
}

}  // namespace

void PrintCosts() {
  const auto servers = RandomServers();
  fmt::print(
      "One server with {} applications, CPU time per application (target: "
      "under "
      "1000 ns):\n",
      kTenants);
  for (size_t pressures = 1; pressures <= kMostPressures; ++pressures) {
    const PressurePredictor predictor = RandomPressurePredictor(5, pressures);
    const auto prepared = Prepare(predictor, servers);
    const double rows = NanosecondsPerApplication([&](size_t server) {
      PressureVector sum;
      for (const Placed& one : prepared[server]) sum.Add(one.pressure);
      size_t met = 0;
      for (const Placed& one : prepared[server]) {
        met += LargestExcess(one.region, sum) <= 0;
      }
      return met + 1;
    });
    const double all = NanosecondsPerApplication([&](size_t server) {
      return predictor.Predict(servers[server])->size();
    });
    fmt::print(
        "  {} pressures: objective {:6.1f} ns, all ten times by name {:7.0f} "
        "ns\n",
        pressures, rows, all);
  }
  fmt::print("  NeuRO's network, in C++ with exact GELU: {:.0f} ns\n",
             CostOfDeepSets());
}

}  // namespace mete
