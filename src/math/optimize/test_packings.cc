#include "optimize/test_packings.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "optimize/packing_worth.h"
#include "support/random.h"

namespace mete {
namespace {

constexpr double kImpossible = std::numeric_limits<double>::infinity();

ItemOnType RandomItemOnType(const RandomPacking& wanted, Random& random) {
  ItemOnType on;
  for (size_t r = 0; r < wanted.resources; ++r) {
    on.use.push_back(0.1 + random.Uniform());
  }
  for (size_t d = 0; d < wanted.pressures; ++d) {
    on.pressure.push_back(random.Below(6) == 0 ? 0 : random.Uniform());
  }
  size_t rows = wanted.pressures == 0 ? 0 : random.Below(4);
  for (size_t i = 0; i < rows; ++i) {
    PressureRow row{.bound = 0.5 + 2.5 * random.Uniform()};
    for (size_t d = 0; d < wanted.pressures; ++d) {
      // Whole numbers, so that items share rows.
      row.weights.push_back(static_cast<double>(random.Below(3)));
    }
    on.rows.push_back(row);
  }
  on.copy_cost = wanted.costs * random.Uniform();
  return on;
}

// Counts copies of items in mixed radix: state = sum of count * stride.
class Enumeration {
 public:
  explicit Enumeration(const PackingProblem& problem) : problem_(problem) {
    for (const Item& item : problem.items) {
      strides_.push_back(states_);
      states_ *= static_cast<size_t>(item.copies) + 1;
    }
  }

  double Best() {
    std::vector<double> cost(states_, kImpossible);
    cost[0] = 0;
    for (size_t k = 0; k < problem_.types.size(); ++k) {
      for (size_t n = 0; n < problem_.types[k].count; ++n) {
        cost = AddBin(cost, PatternsOf(k, n));
      }
    }
    return BestComplete(cost);
  }

 private:
  struct Content {
    size_t state = 0;
    std::vector<int> counts;
    double cost = 0;
  };

  bool Allowed(size_t k, const std::vector<int>& counts) const {
    std::vector<double> used(problem_.resources);
    std::vector<double> pressure(problem_.pressures);
    std::map<size_t, int> groups;
    for (size_t i = 0; i < counts.size(); ++i) {
      if (counts[i] == 0) continue;
      const Item& item = problem_.items[i];
      if (!item.on[k]) return false;
      if (!item.splits && counts[i] != item.copies) return false;
      if (item.most_per_bin && counts[i] > *item.most_per_bin) return false;
      for (size_t group : item.groups) {
        if (++groups[group] > 1) return false;
      }
      for (size_t r = 0; r < used.size(); ++r) {
        used[r] += counts[i] * item.on[k]->use[r];
      }
      for (size_t d = 0; d < pressure.size(); ++d) {
        pressure[d] += counts[i] * item.on[k]->pressure[d];
      }
    }
    for (size_t r = 0; r < used.size(); ++r) {
      if (used[r] > problem_.types[k].capacity[r] + 1e-9) return false;
    }
    for (size_t i = 0; i < counts.size(); ++i) {
      if (counts[i] == 0) continue;
      for (const PressureRow& row : problem_.items[i].on[k]->rows) {
        double sum = 0;
        for (size_t d = 0; d < pressure.size(); ++d) {
          sum += row.weights[d] * pressure[d];
        }
        if (sum > row.bound + 1e-9) return false;
      }
    }
    return true;
  }

  int Stays(size_t k, size_t n, size_t item) const {
    for (const PackedBin& bin : problem_.previous.bins) {
      if (bin.type != k || bin.number != n) continue;
      for (const Copies& copies : bin.contents) {
        if (copies.item == item) return copies.count;
      }
    }
    return 0;
  }

  std::vector<Content> PatternsOf(size_t k, size_t n) const {
    std::vector<Content> all;
    std::vector<int> counts(problem_.items.size());
    for (size_t state = 1; state < states_; ++state) {
      for (size_t i = 0; i < counts.size(); ++i) {
        counts[i] = static_cast<int>(state / strides_[i]) %
                    (problem_.items[i].copies + 1);
      }
      if (!Allowed(k, counts)) continue;
      double cost = problem_.types[k].open_cost;
      for (size_t i = 0; i < counts.size(); ++i) {
        if (counts[i] == 0) continue;
        const Item& item = problem_.items[i];
        cost += counts[i] * item.on[k]->copy_cost;
        cost -= item.move_cost * std::min(counts[i], Stays(k, n, i));
      }
      all.push_back({state, counts, cost});
    }
    return all;
  }

  std::vector<double> AddBin(const std::vector<double>& cost,
                             const std::vector<Content>& contents) const {
    std::vector<double> after = cost;
    for (size_t state = 0; state < states_; ++state) {
      if (cost[state] == kImpossible) continue;
      for (const Content& content : contents) {
        if (!Addable(state, content)) continue;
        size_t sum = state + content.state;
        after[sum] = std::min(after[sum], cost[state] + content.cost);
      }
    }
    return after;
  }

  bool Addable(size_t state, const Content& content) const {
    for (size_t i = 0; i < strides_.size(); ++i) {
      int copies = problem_.items[i].copies;
      int present = static_cast<int>(state / strides_[i]) % (copies + 1);
      if (present + content.counts[i] > copies) return false;
    }
    return true;
  }

  double BestComplete(const std::vector<double>& cost) const {
    std::vector<double> scores = ScoreOfItems(problem_);
    double best = 0;
    for (size_t state = 0; state < states_; ++state) {
      if (cost[state] == kImpossible) continue;
      double score = -cost[state];
      bool complete = true;
      for (size_t i = 0; i < strides_.size() && complete; ++i) {
        int copies = problem_.items[i].copies;
        int count = static_cast<int>(state / strides_[i]) % (copies + 1);
        complete = count == 0 || count == copies;
        if (count > 0) score += scores[i] - MovesBefore(i);
      }
      if (complete) best = std::max(best, score);
    }
    return best;
  }

  // Paid by an item of which no copy stays.
  double MovesBefore(size_t i) const {
    int copies = 0;
    for (const PackedBin& bin : problem_.previous.bins) {
      for (const Copies& c : bin.contents) {
        if (c.item == i) copies += c.count;
      }
    }
    return problem_.items[i].move_cost *
           std::min(copies, problem_.items[i].copies);
  }

  const PackingProblem& problem_;
  std::vector<size_t> strides_;
  size_t states_ = 1;
};

Item RandomItem(const RandomPacking& wanted, Random& random) {
  Item item{.value = 1 + std::floor(20 * random.Uniform()) / 2,
            .copies = 1 + static_cast<int>(random.Below(
                              static_cast<uint64_t>(wanted.copies)))};
  item.splits = random.Below(4) != 0;
  if (random.Below(5) == 0) {
    item.most_per_bin = 1 + static_cast<int>(random.Below(2));
  }
  if (random.Uniform() < wanted.groups) item.groups = {random.Below(2)};
  if (wanted.residents) item.move_cost = random.Uniform();
  for (size_t k = 0; k < wanted.types; ++k) {
    bool excluded = random.Uniform() < wanted.pins;
    item.on.emplace_back();
    if (!excluded) item.on.back() = RandomItemOnType(wanted, random);
  }
  return item;
}

// A previous plan does not have to be feasible.
PackingPlan RandomPlan(const PackingProblem& problem, Random& random) {
  PackingPlan plan;
  for (size_t k = 0; k < problem.types.size(); ++k) {
    for (size_t n = 0; n < problem.types[k].count; ++n) {
      PackedBin bin{.type = k, .number = n};
      for (size_t i = 0; i < problem.items.size(); ++i) {
        if (random.Below(3) == 0) bin.contents.push_back({i, 1});
      }
      if (!bin.contents.empty()) plan.bins.push_back(bin);
    }
  }
  return plan;
}

}  // namespace

PackingProblem MakeRandomPacking(const RandomPacking& wanted, uint64_t seed) {
  Random random(seed);
  PackingProblem problem{.resources = wanted.resources,
                         .pressures = wanted.pressures};
  for (size_t k = 0; k < wanted.types; ++k) {
    BinType type{.count = wanted.bins_per_type, .rank = static_cast<int>(k)};
    for (size_t r = 0; r < wanted.resources; ++r) {
      type.capacity.push_back(1 + 2 * random.Uniform());
    }
    type.open_cost = wanted.costs * random.Uniform();
    problem.types.push_back(type);
  }
  for (size_t i = 0; i < wanted.items; ++i) {
    problem.items.push_back(RandomItem(wanted, random));
  }
  if (wanted.residents) problem.previous = RandomPlan(problem, random);
  return problem;
}

double BestScoreByEnumeration(const PackingProblem& problem) {
  return Enumeration(problem).Best();
}

SearchLimits LimitsFor(Seconds time) {
  static const SystemClock clock;
  return {
      .clock = &clock,
      .deadline = clock.Now() +
                  std::chrono::duration_cast<std::chrono::nanoseconds>(time),
      .stop = {}};
}

}  // namespace mete
