#include "optimize/packing_problem.h"

#include <cmath>
#include <string>

namespace mete {
namespace {

// A finite number of at least 0.
bool Natural(double number) { return std::isfinite(number) && number >= 0; }

bool AllNatural(std::span<const double> numbers) {
  for (double number : numbers) {
    if (!Natural(number)) return false;
  }
  return true;
}

Error BadItem(size_t item, const std::string& what) {
  return InvalidInput("item " + std::to_string(item) + ": " + what);
}

Status CheckType(const PackingProblem& problem, size_t k) {
  const BinType& type = problem.types[k];
  std::string name = "bin type " + std::to_string(k);
  if (type.capacity.size() != problem.resources) {
    return InvalidInput(name + ": needs one capacity for each resource");
  }
  if (!AllNatural(type.capacity) || !Natural(type.open_cost)) {
    return InvalidInput(name + ": capacities and costs must be at least 0");
  }
  return {};
}

Status CheckRow(const PackingProblem& problem, size_t item,
                const PressureRow& row) {
  if (row.weights.size() != problem.pressures) {
    return BadItem(item, "a row needs one weight for each pressure");
  }
  if (!AllNatural(row.weights)) {
    return BadItem(item, "the weights of a row must be at least 0");
  }
  // Infinity is a row that never binds; below 0 the item never fits.
  if (std::isnan(row.bound)) {
    return BadItem(item, "the bound of a row is not a number");
  }
  return {};
}

Status CheckItemOnType(const PackingProblem& problem, size_t item,
                       const ItemOnType& on) {
  if (on.use.size() != problem.resources) {
    return BadItem(item, "needs one use for each resource");
  }
  if (on.pressure.size() != problem.pressures) {
    return BadItem(item, "needs one number for each pressure");
  }
  if (!AllNatural(on.use) || !AllNatural(on.pressure)) {
    return BadItem(item, "uses and pressures must be at least 0");
  }
  if (!Natural(on.copy_cost)) return BadItem(item, "costs must be at least 0");
  for (const PressureRow& row : on.rows) {
    RETURN_IF_ERROR(CheckRow(problem, item, row));
  }
  return {};
}

Status CheckItem(const PackingProblem& problem, size_t i) {
  const Item& item = problem.items[i];
  if (item.copies < 1) return BadItem(i, "needs at least one copy");
  if (item.most_per_bin && *item.most_per_bin < 1) {
    return BadItem(i, "a bin must be able to hold at least one copy");
  }
  if (!Natural(item.value)) return BadItem(i, "the value must be at least 0");
  if (!Natural(item.move_cost)) return BadItem(i, "costs must be at least 0");
  if (item.on.size() != problem.types.size()) {
    return BadItem(i, "needs one entry for each bin type");
  }
  for (const auto& on : item.on) {
    if (on) RETURN_IF_ERROR(CheckItemOnType(problem, i, *on));
  }
  return {};
}

// The previous plan may come from another problem, so only its numbers matter:
// what does not exist any more is ignored.
Status CheckPrevious(const PackingProblem& problem) {
  for (const PackedBin& bin : problem.previous.bins) {
    for (const Copies& copies : bin.contents) {
      if (copies.count < 0) {
        return InvalidInput("previous plan: negative number of copies");
      }
    }
  }
  return {};
}

}  // namespace

Status CheckProblem(const PackingProblem& problem) {
  for (size_t k = 0; k < problem.types.size(); ++k) {
    RETURN_IF_ERROR(CheckType(problem, k));
  }
  for (size_t i = 0; i < problem.items.size(); ++i) {
    RETURN_IF_ERROR(CheckItem(problem, i));
  }
  return CheckPrevious(problem);
}

}  // namespace mete
