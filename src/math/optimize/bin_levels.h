// One class of bins, sorted by what they hold: a bin is on a level by the
// tightest limit of its contents. Limits and pressures are numbers here, for
// pressures that stand in their usual proportion.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "optimize/packing_tables.h"

namespace mete {

// Bins whose tightest item tolerates a pressure from `low` to `high`.
struct BinLevel {
  double low = 0, high = 0;
  size_t members = 0;  // that tolerate `low`: the first ones of the class
  // What a bin's price is for: the part of each resource and, last, of the
  // pressure. The parts are not negative and sum to 1.
  std::vector<double> parts;
};

// The levels of a class. Items that fit nowhere in it are no members.
class BinLevels {
 public:
  // Levels are narrow where many items have their limits.
  BinLevels(const PackingTables& tables, size_t bin_class, size_t most_levels);

  size_t size() const { return levels_.size(); }
  const BinLevel& operator[](size_t j) const { return levels_[j]; }
  // Items by the pressure that they tolerate, the most first.
  std::span<const size_t> members() const { return members_; }

  // The share of a bin's price that a unit of the member at this place pays.
  double ShareOf(const BinLevel& level, size_t member) const {
    const double* use = use_.data() + member * level.parts.size();
    double share = 0;
    for (size_t r = 0; r + 1 < level.parts.size(); ++r) {
      share += level.parts[r] * use[r];
    }
    double pressure = use[level.parts.size() - 1];
    return level.high > 0 ? share + level.parts.back() * pressure / level.high
                          : share;
  }

  // Takes what is positive of the parts, scaled to sum to 1.
  void SetParts(size_t j, std::span<const double> parts);

 private:
  struct Usual;
  void FindMembers(const LoadTable& table, size_t items, const Usual& usual);
  void MakeLevels(size_t most_levels, size_t resources);

  std::vector<size_t> members_;
  std::vector<double> tolerated_;  // by each member
  // Of a unit of each member: the share of each resource, and the pressure.
  std::vector<double> use_;
  std::vector<BinLevel> levels_;
};

}  // namespace mete
