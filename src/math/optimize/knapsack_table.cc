#include "optimize/knapsack_table.h"

#include <algorithm>
#include <limits>

namespace mete {
namespace {

// Rounding costs up to a cell per copy.
constexpr size_t kCells = 1024;
constexpr double kRounding = 1e-9;

// One copy more or not, for every capacity.
void AddOnce(const double* from, double* to, size_t columns, size_t cells,
             double worth) {
  cells = std::min(cells, columns);
  std::copy(from, from + cells, to);
  for (size_t c = cells; c < columns; ++c) {
    to[c] = std::max(from[c], from[c - cells] + worth);
  }
}

}  // namespace

void KnapsackTable::Fill(std::span<const Offer> offers, double capacity) {
  double total = 0;
  for (const Offer& offer : offers) total += offer.units * offer.weight;
  capacity = std::min(capacity, total);
  cells_per_weight_ = capacity > 0 ? double(kCells) / capacity : 0;
  columns_ = kCells + 1;
  worth_.resize((offers.size() + 1) * columns_);
  other_.resize(2 * columns_);
  std::fill_n(worth_.begin(), columns_, 0);
  for (size_t k = 0; k < offers.size(); ++k) Join(offers[k], k + 1);
}

// Units join as 1, 2, 4, ... units at once, which gives every number of them.
void KnapsackTable::Join(const Offer& offer, size_t row) {
  const double* from = worth_.data() + (row - 1) * columns_;
  double* to = worth_.data() + row * columns_;
  int left = offer.worth > 0 ? offer.units : 0;
  if (left == 0) std::copy(from, from + columns_, to);
  bool odd = false;
  for (int units = 1; left > 0; units *= 2) {
    units = std::min(units, left);
    left -= units;
    double cells = units * offer.weight * cells_per_weight_ * (1 - kRounding);
    double* target = left == 0 ? to : other_.data() + (odd ? columns_ : 0);
    AddOnce(from, target, columns_, static_cast<size_t>(cells),
            units * offer.worth);
    from = target;
    odd = !odd;
  }
}

double KnapsackTable::Best(size_t offers, double room) const {
  if (room < 0) return -std::numeric_limits<double>::infinity();
  double cell = room * cells_per_weight_ * (1 + kRounding);
  size_t column =
      cell < double(columns_ - 1) ? static_cast<size_t>(cell) : columns_ - 1;
  return worth_[offers * columns_ + column];
}

}  // namespace mete
