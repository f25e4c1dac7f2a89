// A packing problem: which items go into which bins so that the value is
// highest. Knows numbers only: servers and applications are translated to bins
// and items by the caller. docs/internals/placement.md explains the structure.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "support/result.h"

namespace mete {

// Sums may exceed a capacity or a bound by this share of it, because sums of
// decimal fractions are not exact.
inline constexpr double kPackingTolerance = 1e-9;

// Bins that are interchangeable.
struct BinType {
  size_t count = 0;
  std::vector<double> capacity;  // of each resource
  // Paid once for every bin that holds a copy.
  double open_cost = 0;
  // The sequential method fills bins in the order of their ranks.
  int rank = 0;
};

// weights . pressure <= bound, where pressure is the sum over the copies in a
// bin. Weights are not negative, so that removing a copy never violates a row.
struct PressureRow {
  std::vector<double> weights;
  double bound = 0;
};

// An item on one type of bins.
struct ItemOnType {
  std::vector<double> use;       // of each resource, by one copy
  std::vector<double> pressure;  // added by one copy
  // Imposed on the pressure of every bin that holds a copy of the item.
  std::vector<PressureRow> rows;
  double copy_cost = 0;  // paid for every copy
};

// Something to place: all of its copies, or none.
struct Item {
  double value = 0;  // gained if all copies are placed
  int copies = 1;
  // Whether copies may be in different bins.
  bool splits = true;
  // At most this many copies in one bin.
  std::optional<int> most_per_bin;
  // One item is worth more than all items of lower priorities together.
  int priority = 0;
  // Two items that share a group are never in the same bin.
  std::vector<size_t> groups;
  // One per bin type. Absent: the item is excluded from that type.
  std::vector<std::optional<ItemOnType>> on;
  // Paid for every copy that the previous plan had in a bin and that leaves it,
  // if the item is placed. An item that is new pays nothing.
  double move_cost = 0;
};

// Some copies of an item in one bin.
struct Copies {
  size_t item = 0;
  int count = 0;
  auto operator<=>(const Copies&) const = default;
};

// A bin that is not empty. `number` tells the bins of a type apart, from 0.
struct PackedBin {
  size_t type = 0;
  size_t number = 0;
  std::vector<Copies> contents;  // in the order of the items
  auto operator<=>(const PackedBin&) const = default;
};

// Where every copy is. Bins are ordered by type and number. An item without
// copies is not placed.
struct PackingPlan {
  std::vector<PackedBin> bins;
  bool operator==(const PackingPlan&) const = default;
};

// A rule about the contents of a bin that pressure rows cannot express, such as
// a predictor that is not linear. Called often and from several threads.
class ContentOracle {
 public:
  virtual ~ContentOracle() = default;
  virtual bool Allows(size_t type, std::span<const Copies> contents) const = 0;
  // Whether removing copies from allowed contents always leaves allowed
  // contents. If not, bounds ignore the oracle: they stay valid, but are
  // weaker.
  virtual bool monotone() const = 0;
};

// What a better plan is.
enum class PackingGoal {
  kMostValue,  // the highest value less costs
  // As many items as possible, whatever their values; among these plans, the
  // least costs.
  kLeastCost,
};

// Everything that has to be decided.
struct PackingProblem {
  size_t resources = 0;
  size_t pressures = 0;
  std::vector<BinType> types;
  std::vector<Item> items;
  PackingGoal goal = PackingGoal::kMostValue;
  PackingPlan previous;                   // for move_cost
  const ContentOracle* oracle = nullptr;  // outlives the problem
};

// Fails with kInvalidInput if a vector has the wrong length, or a number is
// negative, infinite or not a number.
Status CheckProblem(const PackingProblem& problem);

}  // namespace mete
