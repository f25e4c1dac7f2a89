#include "optimize/fluid_prices.h"

#include <algorithm>
#include <cmath>

#include "optimize/bin_levels.h"
#include "optimize/linear_program.h"

namespace mete {
namespace {

constexpr size_t kMostFluidClasses = 8;
constexpr size_t kMostLevels = 40;
constexpr int kFluidPasses = 16;
constexpr int kSectionSteps = 10;  // of one price of a level
constexpr int kFollowSteps = 10;
constexpr double kFirstStep = 0.05;  // of the price of a bin
// Of the mean worth of a bin: steps are shares of prices, so these never reach
// 0.
constexpr double kLeastBin = 1e-4;
// Passes end when one lowers the bound by less than this share.
constexpr double kLeastDecrease = 2e-5;

// All prices: of the bins, and of the parts of their levels.
struct FluidState {
  std::vector<double> bins;                // by class
  std::vector<std::vector<double>> parts;  // of all levels of a class, absolute
};

// Minimizes the bound.
class FluidSearch {
 public:
  FluidSearch(const PackingTables& tables, const std::vector<double>& counts)
      : tables_(tables),
        counts_(counts),
        parts_(tables.problem().resources + 1) {
    double total = 0;
    for (size_t i = 0; i < tables.size(); ++i) {
      total += std::max(0.0, tables.item(i).score);
    }
    for (size_t c = 0; c < tables.classes().size(); ++c) {
      classes_.emplace_back(tables, c, kMostLevels);
      bins_.push_back(total / static_cast<double>(tables.bins()));
    }
    least_bin_ = kLeastBin * total / static_cast<double>(tables.bins());
  }

  FluidPrices Run() {
    double bound = kInfiniteBound;
    for (int pass = 0; pass < kFluidPasses; ++pass) {
      FluidState start = Now();
      for (size_t c = 0; c < classes_.size(); ++c) {
        MoveLevels(c);
        FollowPrice(c);
        FollowPressure(c);
        for (size_t r = 0; r + 1 < parts_; ++r) FollowResource(c, r);
      }
      if (pass > 0) FollowPass(start);
      double before = bound;
      bound = Bound();
      if (bound >= before * (1 - kLeastDecrease)) break;
    }
    FluidPrices fluid{.prices = {}, .costs = Costs()};
    fluid.prices.classes = bins_;
    for (size_t i = 0; i < tables_.size(); ++i) {
      const TableItem& item = tables_.item(i);
      double most = std::max(0.0, item.score) / item.units;
      fluid.prices.items.push_back(std::min(fluid.costs[i], most));
      if (fluid.costs[i] == kInfiniteBound) fluid.costs[i] = 0;
    }
    return fluid;
  }

 private:
  double PaysIn(size_t c, size_t item, double share) const {
    return (bins_[c] + tables_.classes()[c].open_cost) * share +
           tables_.table(c).cost[item];
  }

  // Lowers `costs` to what items pay on a level.
  void Lower(size_t c, size_t j, std::vector<double>& costs) const {
    const BinLevels& levels = classes_[c];
    for (size_t m = 0; m < levels[j].members; ++m) {
      size_t i = levels.members()[m];
      costs[i] = std::min(costs[i], PaysIn(c, i, levels.ShareOf(levels[j], m)));
    }
  }

  std::vector<double> Costs() const {
    std::vector<double> costs(tables_.size(), kInfiniteBound);
    for (size_t c = 0; c < classes_.size(); ++c) {
      for (size_t j = 0; j < classes_[c].size(); ++j) Lower(c, j, costs);
    }
    return costs;
  }

  // What is left of an item's score when its units have paid.
  double Surplus(size_t i, double cost) const {
    if (cost == kInfiniteBound) return 0;
    const TableItem& item = tables_.item(i);
    return std::max(0.0, item.score - item.units * cost);
  }

  double Bound() const {
    double bound = 0;
    for (size_t c = 0; c < bins_.size(); ++c) {
      bound += bins_[c] * counts_[c];
    }
    std::vector<double> costs = Costs();
    for (size_t i = 0; i < costs.size(); ++i) bound += Surplus(i, costs[i]);
    return bound;
  }

  FluidState Now() const {
    FluidState state{.bins = bins_, .parts = {}};
    for (size_t c = 0; c < bins_.size(); ++c) {
      state.parts.emplace_back();
      for (size_t j = 0; j < classes_[c].size(); ++j) {
        for (double part : classes_[c][j].parts) {
          state.parts[c].push_back(part * bins_[c]);
        }
      }
    }
    return state;
  }

  void Set(const FluidState& state) {
    bins_ = state.bins;
    for (size_t c = 0; c < bins_.size(); ++c) {
      for (size_t j = 0; j < classes_[c].size(); ++j) {
        classes_[c].SetParts(
            j, std::span(state.parts[c]).subspan(j * parts_, parts_));
      }
    }
  }

  FluidState Still() const {
    FluidState still = Now();
    std::ranges::fill(still.bins, 0);
    for (auto& parts : still.parts) std::ranges::fill(parts, 0);
    return still;
  }

  // Steps along `direction` while they lower the bound, then smaller ones and
  // back.
  void Follow(const FluidState& direction, double step) {
    FluidState best = Now();
    double lowest = Bound();
    for (int k = 0; k < kFollowSteps; ++k) {
      FluidState next = best;
      for (size_t c = 0; c < bins_.size(); ++c) {
        next.bins[c] =
            std::max(least_bin_, next.bins[c] + step * direction.bins[c]);
        for (size_t r = 0; r < next.parts[c].size(); ++r) {
          next.parts[c][r] += step * direction.parts[c][r];
        }
      }
      Set(next);
      double bound = Bound();
      if (bound < lowest) {
        lowest = bound;
        best = Now();
        step *= 2;
      } else {
        step *= -0.35;
      }
    }
    Set(best);
  }

  // The price of a bin and of all that it is for.
  void FollowPrice(size_t c) {
    FluidState direction = Now();
    for (size_t k = 0; k < bins_.size(); ++k) {
      if (k == c) continue;
      direction.bins[k] = 0;
      std::ranges::fill(direction.parts[k], 0);
    }
    Follow(direction, -kFirstStep);
  }

  // The price of a bin for its pressure, with those of its resources as they
  // are.
  void FollowPressure(size_t c) {
    FluidState direction = Still();
    direction.bins[c] = bins_[c];
    for (size_t j = 0; j < classes_[c].size(); ++j) {
      direction.parts[c][(j + 1) * parts_ - 1] = bins_[c];
    }
    Follow(direction, -kFirstStep);
  }

  // The price of a resource on all levels, instead of that of the pressure.
  void FollowResource(size_t c, size_t resource) {
    FluidState direction = Still();
    for (size_t j = 0; j < classes_[c].size(); ++j) {
      direction.parts[c][j * parts_ + resource] = bins_[c];
      direction.parts[c][(j + 1) * parts_ - 1] = -bins_[c];
    }
    Follow(direction, kFirstStep);
  }

  // Single steps zigzag towards the minimum: goes on in the direction of all.
  void FollowPass(const FluidState& start) {
    FluidState direction = Now();
    for (size_t c = 0; c < bins_.size(); ++c) {
      direction.bins[c] -= start.bins[c];
      for (size_t r = 0; r < direction.parts[c].size(); ++r) {
        direction.parts[c][r] -= start.parts[c][r];
      }
    }
    Follow(direction, 1);
  }

  // The parts of one level after the other.
  void MoveLevels(size_t c) {
    size_t levels = classes_[c].size();
    if (parts_ < 2 || levels == 0) return;
    // What items pay in other classes and on the levels behind.
    std::vector<std::vector<double>> behind(
        levels, std::vector<double>(tables_.size(), kInfiniteBound));
    for (size_t k = 0; k < classes_.size(); ++k) {
      if (k == c) continue;
      for (size_t j = 0; j < classes_[k].size(); ++j) {
        Lower(k, j, behind[levels - 1]);
      }
    }
    for (size_t j = levels - 1; j > 0; --j) {
      behind[j - 1] = behind[j];
      Lower(c, j, behind[j - 1]);
    }
    std::vector<double> before(tables_.size(), kInfiniteBound);
    for (size_t j = 0; j < levels; ++j) {
      std::vector<double>& others = behind[j];
      for (size_t i = 0; i < others.size(); ++i) {
        others[i] = std::min(others[i], before[i]);
      }
      for (size_t r = 0; r + 1 < parts_; ++r) MovePart(c, j, r, others);
      Lower(c, j, before);
    }
  }

  // Golden section search of one part; the others are scaled.
  void MovePart(size_t c, size_t j, size_t part,
                const std::vector<double>& others) {
    BinLevels& levels = classes_[c];
    std::vector<double> start = levels[j].parts;
    auto set = [&](double value) {
      double rest = 1 - start[part];
      std::vector<double> parts(parts_);
      for (size_t r = 0; r < parts_; ++r) {
        parts[r] = rest > 1e-9 ? start[r] * (1 - value) / rest
                               : (1 - value) / double(parts_ - 1);
      }
      parts[part] = value;
      levels.SetParts(j, parts);
    };
    auto bound = [&] {
      double sum = 0;
      for (size_t m = 0; m < levels[j].members; ++m) {
        size_t i = levels.members()[m];
        double pays = PaysIn(c, i, levels.ShareOf(levels[j], m));
        sum += Surplus(i, std::min(others[i], pays));
      }
      return sum;
    };
    double before = bound();
    constexpr double kGolden = 0.618033988749895;
    double low = 0;
    double high = 1;
    double left = high - kGolden * (high - low);
    double right = low + kGolden * (high - low);
    set(left);
    double at_left = bound();
    set(right);
    double at_right = bound();
    for (int step = 0; step < kSectionSteps; ++step) {
      if (at_left <= at_right) {
        high = right;
        right = left;
        at_right = at_left;
        left = high - kGolden * (high - low);
        set(left);
        at_left = bound();
      } else {
        low = left;
        left = right;
        at_left = at_right;
        right = low + kGolden * (high - low);
        set(right);
        at_right = bound();
      }
    }
    set((low + high) / 2);
    if (bound() >= before) levels.SetParts(j, start);
  }

  const PackingTables& tables_;
  const std::vector<double>& counts_;  // bins of each class
  size_t parts_;                       // of each level
  std::vector<BinLevels> classes_;
  std::vector<double> bins_;  // price of a bin of each class
  double least_bin_ = 0;
};

}  // namespace

FluidPrices FindFluidPrices(const PackingTables& tables,
                            const std::vector<double>& bins) {
  size_t classes = tables.classes().size();
  if (classes == 0 || classes > kMostFluidClasses) return {};
  return FluidSearch(tables, bins).Run();
}

std::vector<double> BinsOfClasses(const PackingTables& tables) {
  std::vector<double> bins;
  for (const BinClass& same : tables.classes()) {
    bins.push_back(static_cast<double>(same.count()));
  }
  return bins;
}

}  // namespace mete
