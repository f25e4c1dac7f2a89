#include "optimize/verify_plan.h"

#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace mete {
namespace {

// Sums in another order differ in the last digits, so that the checks allow
// twice what the solvers do.
bool Exceeds(double sum, double bound) {
  return sum > bound + 2 * kPackingTolerance * std::abs(bound) + 1e-12;
}

// Collects the violations of one plan.
class Verifier {
 public:
  Verifier(const PackingProblem& problem, const PackingPlan& plan)
      : problem_(problem), plan_(plan) {}

  std::vector<Violation> Run() && {
    for (size_t b = 0; b < plan_.bins.size(); ++b) CheckBin(b);
    CheckCopies();
    return std::move(violations_);
  }

 private:
  void Add(ViolationKind kind, size_t bin, std::optional<size_t> item,
           const std::string& text) {
    std::string name = "bin " + std::to_string(bin);
    if (item) name += ", item " + std::to_string(*item);
    violations_.push_back(
        {.kind = kind, .bin = bin, .item = item, .text = name + ": " + text});
  }

  // Whether the bin exists and all of its items do; nothing else can be checked
  // otherwise.
  bool Known(size_t b) {
    const PackedBin& bin = plan_.bins[b];
    bool known = bin.type < problem_.types.size() &&
                 bin.number < problem_.types[bin.type].count &&
                 seen_.insert({bin.type, bin.number}).second;
    std::set<size_t> items;
    for (const Copies& copies : bin.contents) {
      known = known && copies.item < problem_.items.size() &&
              copies.count > 0 && items.insert(copies.item).second;
    }
    if (!known) {
      Add(ViolationKind::kUnknownBin, b, std::nullopt,
          "the bin or an item does not exist, or is listed twice");
    }
    return known;
  }

  void CheckBin(size_t b) {
    if (!Known(b)) return;
    const PackedBin& bin = plan_.bins[b];
    for (const Copies& copies : bin.contents) {
      if (!problem_.items[copies.item].on[bin.type]) {
        Add(ViolationKind::kExcluded, b, copies.item,
            "the item is excluded from this type");
        return;
      }
    }
    CheckCapacities(b);
    CheckRows(b);
    CheckItems(b);
    if (problem_.oracle != nullptr &&
        !problem_.oracle->Allows(bin.type, bin.contents)) {
      Add(ViolationKind::kOracle, b, std::nullopt,
          "the oracle does not allow the contents");
    }
  }

  void CheckCapacities(size_t b) {
    const PackedBin& bin = plan_.bins[b];
    for (size_t r = 0; r < problem_.resources; ++r) {
      double used = 0;
      for (const Copies& copies : bin.contents) {
        used += copies.count * problem_.items[copies.item].on[bin.type]->use[r];
      }
      double capacity = problem_.types[bin.type].capacity[r];
      if (Exceeds(used, capacity)) {
        Add(ViolationKind::kCapacity, b, std::nullopt,
            "resource " + std::to_string(r) + ": " + std::to_string(used) +
                " of " + std::to_string(capacity));
      }
    }
  }

  void CheckRows(size_t b) {
    const PackedBin& bin = plan_.bins[b];
    std::vector<double> pressure(problem_.pressures);
    for (const Copies& copies : bin.contents) {
      const ItemOnType& on = *problem_.items[copies.item].on[bin.type];
      for (size_t d = 0; d < pressure.size(); ++d) {
        pressure[d] += copies.count * on.pressure[d];
      }
    }
    for (const Copies& copies : bin.contents) {
      for (const PressureRow& row :
           problem_.items[copies.item].on[bin.type]->rows) {
        double sum = 0;
        for (size_t d = 0; d < pressure.size(); ++d) {
          sum += row.weights[d] * pressure[d];
        }
        if (!Exceeds(sum, row.bound)) continue;
        Add(ViolationKind::kPressure, b, copies.item,
            std::to_string(sum) + " exceeds " + std::to_string(row.bound));
      }
    }
  }

  void CheckItems(size_t b) {
    std::map<size_t, size_t> owner;  // of each group
    for (const Copies& copies : plan_.bins[b].contents) {
      const Item& item = problem_.items[copies.item];
      if (item.most_per_bin && copies.count > *item.most_per_bin) {
        Add(ViolationKind::kTooManyCopies, b, copies.item,
            std::to_string(copies.count) + " copies in one bin");
      }
      std::set<size_t> groups(item.groups.begin(), item.groups.end());
      for (size_t group : groups) {
        if (owner.emplace(group, copies.item).second) continue;
        Add(ViolationKind::kGroup, b, copies.item,
            "shares group " + std::to_string(group) + " with item " +
                std::to_string(owner[group]));
      }
      placed_[copies.item] += copies.count;
      ++places_[copies.item];
    }
  }

  void CheckCopies() {
    for (const auto& [i, count] : placed_) {
      const Item& item = problem_.items[i];
      if (count != item.copies) {
        Add(ViolationKind::kPartlyPlaced, 0, i,
            std::to_string(count) + " of " + std::to_string(item.copies) +
                " copies are placed");
      }
      if (!item.splits && places_[i] > 1) {
        Add(ViolationKind::kSplit, 0, i, "copies are in several bins");
      }
    }
  }

  const PackingProblem& problem_;
  const PackingPlan& plan_;
  std::set<std::pair<size_t, size_t>> seen_;
  std::map<size_t, int> placed_;
  std::map<size_t, size_t> places_;
  std::vector<Violation> violations_;
};

}  // namespace

std::vector<Violation> VerifyPlan(const PackingProblem& problem,
                                  const PackingPlan& plan) {
  return Verifier(problem, plan).Run();
}

}  // namespace mete
