// Simulates services that share the cores and the memory bandwidth of a device,
// for tables with a known cause behind them. Processor sharing: a request runs
// at the speed that its share of a core and the bandwidth leave it.
#pragma once

#include <algorithm>
#include <cmath>
#include <deque>
#include <string>
#include <vector>

#include "domain/mix_observation.h"
#include "stats/quantile.h"
#include "support/random.h"

namespace mete {

// An application of the simulation.
struct SimulatedApplication {
  std::string name;
  double work_s = 0.01;  // of one request, on an idle core
  double spread = 0.2;   // standard deviation of the work's logarithm
  double bandwidth = 0;  // share of the device's bandwidth that it needs
};

struct SimulatedDevice {
  double cores = 2;
  std::vector<SimulatedApplication> applications{
      {.name = "cnn", .work_s = 0.040, .spread = 0.1, .bandwidth = 0.35},
      {.name = "encoder", .work_s = 0.015, .spread = 0.3, .bandwidth = 0.2},
      {.name = "forest", .work_s = 0.003, .spread = 0.4, .bandwidth = 0.5},
      {.name = "graph", .work_s = 0.020, .spread = 0.1, .bandwidth = 0.7},
      {.name = "recurrent", .work_s = 0.008, .spread = 0.2}};
};

// Runs one mix from an empty start; the window is followed by a drain of the
// same length.
class MixSimulation {
 public:
  MixSimulation(const SimulatedDevice& device, const Mix& mix, double window_s)
      : device_(device), mix_(mix), window_(window_s), random_(mix.seed) {
    for (size_t t = 0; t < mix.tenants.size(); ++t) {
      for (int i = 0; i < mix.tenants[t].instances; ++i) {
        workers_.push_back({.tenant = t});
        workers_.back().next_arrival = Gap(t);
      }
    }
    service_.resize(mix.tenants.size());
    sojourn_.resize(mix.tenants.size());
    sent_.resize(mix.tenants.size());
  }

  std::vector<MixObservation> Run() {
    while (now_ < 2 * window_) Step();
    std::vector<MixObservation> rows;
    for (size_t t = 0; t < mix_.tenants.size(); ++t) rows.push_back(RowOf(t));
    return rows;
  }

 private:
  struct Worker {
    size_t tenant = 0;
    double next_arrival = 0;
    std::deque<double> arrivals{};  // of waiting requests and the running one
    double left = 0;                // work of the running one
    double begun = 0;
    bool busy() const { return !arrivals.empty(); }
  };

  const SimulatedApplication& ApplicationOf(size_t tenant) const {
    for (const SimulatedApplication& one : device_.applications) {
      if (one.name == mix_.tenants[tenant].application) return one;
    }
    return device_.applications.front();
  }

  double Gap(size_t tenant) {
    return -std::log(1 - random_.Uniform()) / mix_.tenants[tenant].rate;
  }

  void Begin(Worker& worker) {
    const SimulatedApplication& one = ApplicationOf(worker.tenant);
    worker.left = one.work_s * std::exp(one.spread * random_.Normal());
    worker.begun = now_;
  }

  // Advances to the next arrival or completion.
  void Step() {
    double running = 0;
    double bandwidth = 0;
    for (const Worker& worker : workers_) {
      if (!worker.busy()) continue;
      running += 1;
      bandwidth += ApplicationOf(worker.tenant).bandwidth;
    }
    const double share = std::min(1.0, device_.cores / std::max(running, 1.0));
    const double excess = std::max(0.0, bandwidth * share - 0.6);
    auto speed = [&](const Worker& worker) {
      return share /
             (1 + 1.5 * excess * ApplicationOf(worker.tenant).bandwidth);
    };
    double until = 2 * window_;
    for (const Worker& worker : workers_) {
      if (worker.busy()) {
        until = std::min(until, now_ + worker.left / speed(worker));
      }
      if (worker.next_arrival < window_) {
        until = std::min(until, worker.next_arrival);
      }
    }
    for (Worker& worker : workers_) {
      if (worker.busy()) worker.left -= (until - now_) * speed(worker);
    }
    now_ = until;
    for (Worker& worker : workers_) {
      if (worker.busy() && worker.left <= 1e-12) Complete(worker);
      if (worker.next_arrival <= now_ && worker.next_arrival < window_) {
        Arrive(worker);
      }
    }
  }

  void Complete(Worker& worker) {
    service_[worker.tenant].push_back(now_ - worker.begun);
    sojourn_[worker.tenant].push_back(now_ - worker.arrivals.front());
    worker.arrivals.pop_front();
    if (worker.busy()) Begin(worker);
  }

  void Arrive(Worker& worker) {
    ++sent_[worker.tenant];
    worker.arrivals.push_back(worker.next_arrival);
    worker.next_arrival += Gap(worker.tenant);
    if (worker.arrivals.size() == 1) Begin(worker);
  }

  static RequestTimes Summarise(const std::vector<double>& times) {
    if (times.empty()) return {};
    double sum = 0;
    for (double time : times) sum += time;
    return {.mean = sum / static_cast<double>(times.size()),
            .p50 = Quantile(times, 0.5),
            .p75 = Quantile(times, 0.75),
            .p95 = Quantile(times, 0.95),
            .p99 = Quantile(times, 0.99)};
  }

  MixObservation RowOf(size_t t) const {
    double busy = 0;
    for (double time : service_[t]) busy += time;
    const double capacity = window_ * mix_.tenants[t].instances;
    return {.mix = mix_.id,
            .kind = mix_.kind,
            .seed = mix_.seed,
            .device = "simulated",
            .cores = device_.cores,
            .window_s = window_,
            .tenant = mix_.tenants[t],
            .sent = sent_[t],
            .answered = service_[t].size(),
            .saturated = busy > 0.95 * capacity,
            .service = Summarise(service_[t]),
            .sojourn = Summarise(sojourn_[t]),
            .usage = {.cpu_cores = busy / window_}};
  }

  const SimulatedDevice& device_;
  const Mix& mix_;
  double window_;
  Random random_;
  double now_ = 0;
  std::vector<Worker> workers_;
  std::vector<std::vector<double>> service_;
  std::vector<std::vector<double>> sojourn_;
  std::vector<uint64_t> sent_;
};

// Baselines at four rates, pairs, and random mixes, like those of a campaign.
struct SimulatedCampaign {
  SimulatedDevice device{};
  size_t random_mixes = 120;
  double window_s = 8;
  uint64_t seed = 1;
};

inline double RateFor(const SimulatedApplication& one, double busy) {
  return busy / one.work_s;
}

inline std::vector<MixObservation> Simulate(const SimulatedCampaign& campaign) {
  std::vector<Mix> mixes;
  auto add = [&](MixKind kind, std::vector<Tenant> tenants) {
    const std::string id =
        std::string(MixKindName(kind)) + "-" + std::to_string(mixes.size());
    mixes.push_back({.id = id,
                     .kind = kind,
                     .tenants = std::move(tenants),
                     .seed = DeriveSeed(campaign.seed, id)});
  };
  const auto& known = campaign.device.applications;
  for (const SimulatedApplication& one : known) {
    for (double busy : {0.1, 0.3, 0.5, 0.7}) {
      add(MixKind::kBaseline,
          {{.application = one.name, .rate = RateFor(one, busy)}});
    }
    for (const SimulatedApplication& other : known) {
      add(MixKind::kPairwise,
          {{.application = one.name, .rate = RateFor(one, 0.2)},
           {.application = other.name,
            .instances = 2,
            .rate = RateFor(other, 0.5)}});
    }
  }
  Random random(campaign.seed);
  for (size_t i = 0; i < campaign.random_mixes; ++i) {
    std::vector<Tenant> tenants;
    const double load = 0.3 + 0.8 * random.Uniform();  // of all cores
    const uint64_t count = 1 + random.Below(4);
    for (uint64_t t = 0; t < count; ++t) {
      const SimulatedApplication& one = known[random.Below(known.size())];
      const int instances = static_cast<int>(1 + random.Below(3));
      const double busy =
          std::min(0.9, load * campaign.device.cores /
                            (static_cast<double>(count) * instances));
      tenants.push_back(
          {.application = one.name,
           .instances = instances,
           .rate = RateFor(one, busy * (0.5 + random.Uniform()))});
    }
    add(MixKind::kRandom, std::move(tenants));
  }
  std::vector<MixObservation> rows;
  for (const Mix& mix : mixes) {
    for (MixObservation& row :
         MixSimulation(campaign.device, mix, campaign.window_s).Run()) {
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

}  // namespace mete
