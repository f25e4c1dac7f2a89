#include "optimize/packing_worth.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace mete {
namespace {

// More than any plan can cost.
double MoreThanAnyCost(const PackingProblem& problem) {
  double most = 1;
  for (const BinType& type : problem.types) {
    most += type.open_cost * static_cast<double>(type.count);
  }
  for (const Item& item : problem.items) {
    double copy = 0;
    for (const auto& on : item.on) {
      if (on) copy = std::max(copy, on->copy_cost);
    }
    most += item.copies * (copy + item.move_cost);
  }
  return most;
}

// Copies of each item in each bin, by type, number and item.
using Residents = std::map<std::pair<size_t, size_t>, std::map<size_t, int>>;

Residents ResidentsOf(const PackingPlan& plan) {
  Residents residents;
  for (const PackedBin& bin : plan.bins) {
    for (const Copies& copies : bin.contents) {
      residents[{bin.type, bin.number}][copies.item] += copies.count;
    }
  }
  return residents;
}

// Copies that are in the same bin as before.
std::map<size_t, int> CopiesThatStay(const PackingPlan& plan,
                                     const Residents& before) {
  std::map<size_t, int> stay;
  for (const PackedBin& bin : plan.bins) {
    auto here = before.find({bin.type, bin.number});
    if (here == before.end()) continue;
    for (const Copies& copies : bin.contents) {
      auto found = here->second.find(copies.item);
      if (found == here->second.end()) continue;
      stay[copies.item] += std::min(copies.count, found->second);
    }
  }
  return stay;
}

// Copies that had a bin which still exists.
std::map<size_t, int> CopiesBefore(const PackingProblem& problem,
                                   const Residents& before) {
  std::map<size_t, int> copies;
  for (const auto& [bin, contents] : before) {
    auto [type, number] = bin;
    if (type >= problem.types.size()) continue;
    if (number >= problem.types[type].count) continue;
    for (auto [item, count] : contents) {
      if (item < problem.items.size()) copies[item] += count;
    }
  }
  return copies;
}

double CostOfMoves(const PackingProblem& problem, const PackingPlan& plan,
                   const std::set<size_t>& placed) {
  Residents residents = ResidentsOf(problem.previous);
  std::map<size_t, int> before = CopiesBefore(problem, residents);
  std::map<size_t, int> stay = CopiesThatStay(plan, residents);
  double cost = 0;
  for (auto [i, count] : before) {
    if (!placed.contains(i)) continue;
    const Item& item = problem.items[i];
    cost += item.move_cost * (std::min(count, item.copies) - stay[i]);
  }
  return cost;
}

double CostOfBin(const PackingProblem& problem, const PackedBin& bin) {
  double cost = problem.types[bin.type].open_cost;
  for (const Copies& copies : bin.contents) {
    cost += copies.count * problem.items[copies.item].on[bin.type]->copy_cost;
  }
  return cost;
}

}  // namespace

std::vector<double> ScoreOfItems(const PackingProblem& problem) {
  bool count_only = problem.goal == PackingGoal::kLeastCost;
  double equal = count_only ? MoreThanAnyCost(problem) : 0;
  std::map<int, std::vector<size_t>> by_priority;
  for (size_t i = 0; i < problem.items.size(); ++i) {
    by_priority[problem.items[i].priority].push_back(i);
  }
  std::vector<double> scores(problem.items.size());
  double lower = 0;  // all items of lower priorities together
  for (const auto& [priority, items] : by_priority) {
    double level = 0;
    for (size_t i : items) {
      scores[i] = lower + (count_only ? equal : problem.items[i].value);
      level += scores[i];
    }
    lower += level;
  }
  return scores;
}

PackingWorth WorthOf(const PackingProblem& problem, const PackingPlan& plan) {
  std::vector<double> scores = ScoreOfItems(problem);
  PackingWorth worth;
  std::set<size_t> placed;
  for (const PackedBin& bin : plan.bins) {
    if (bin.contents.empty()) continue;
    ++worth.bins;
    worth.cost += CostOfBin(problem, bin);
    for (const Copies& copies : bin.contents) placed.insert(copies.item);
  }
  worth.cost += CostOfMoves(problem, plan, placed);
  worth.placed = placed.size();
  for (size_t i : placed) {
    worth.value += problem.items[i].value;
    worth.score += scores[i];
  }
  worth.score -= worth.cost;
  return worth;
}

}  // namespace mete
