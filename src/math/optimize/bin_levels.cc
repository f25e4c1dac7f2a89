#include "optimize/bin_levels.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace mete {
namespace {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();

// Of a limit of 0 or without limit: the logarithm of a ratio.
constexpr double kWideRange = 3;

double Dot(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

}  // namespace

// The pressures of all items together, and what the rows make of them.
struct BinLevels::Usual {
  Usual(const PackingTables& tables, const LoadTable& table)
      : resources(tables.problem().resources),
        axis(tables.problem().pressures) {
    std::vector<double> sum(axis.size());
    for (size_t i = 0; i < tables.size(); ++i) {
      double count = table.most[i];
      for (size_t d = 0; d < sum.size(); ++d) {
        sum[d] += count * table.pressure[i * sum.size() + d];
      }
    }
    for (const auto& row : table.directions) loads.push_back(Dot(sum, row));
    // Units count by the rows that bind first.
    for (size_t i = 0; i < tables.size(); ++i) {
      if (table.most[i] == 0) continue;
      size_t first = FirstRow(table, i);
      if (first == loads.size()) continue;
      for (size_t d = 0; d < axis.size(); ++d) {
        axis[d] += table.directions[first][d] / loads[first];
      }
    }
    double scale = Dot(sum, axis);
    for (double& weight : axis) weight = scale > 0 ? weight / scale : 0;
  }

  double ToleratedIn(const LoadTable& table, size_t item, size_t row) const {
    double limit = table.LimitOf(item)[resources + row];
    return loads[row] > 0 ? limit / loads[row] : kUnbounded;
  }

  // loads.size() if the item has no limit.
  size_t FirstRow(const LoadTable& table, size_t item) const {
    size_t first = loads.size();
    double least = kUnbounded;
    for (size_t m = 0; m < loads.size(); ++m) {
      if (ToleratedIn(table, item, m) >= least) continue;
      least = ToleratedIn(table, item, m);
      first = m;
    }
    return first;
  }

  size_t resources;
  std::vector<double> loads;  // of the rows, by all items
  std::vector<double> axis;   // by which all items together have pressure 1
};

BinLevels::BinLevels(const PackingTables& tables, size_t bin_class,
                     size_t most_levels) {
  const LoadTable& table = tables.table(bin_class);
  FindMembers(table, tables.size(), Usual(tables, table));
  if (!members_.empty()) MakeLevels(most_levels, tables.problem().resources);
}

void BinLevels::FindMembers(const LoadTable& table, size_t items,
                            const Usual& usual) {
  std::vector<double> tolerated(items);
  for (size_t i = 0; i < items; ++i) {
    if (table.most[i] == 0) continue;
    members_.push_back(i);
    size_t row = usual.FirstRow(table, i);
    tolerated[i] = row < usual.loads.size() ? usual.ToleratedIn(table, i, row)
                                            : kUnbounded;
  }
  std::ranges::sort(members_, [&](size_t a, size_t b) {
    return tolerated[a] != tolerated[b] ? tolerated[a] > tolerated[b] : a < b;
  });
  size_t pressures = usual.axis.size();
  for (size_t i : members_) {
    tolerated_.push_back(tolerated[i]);
    for (size_t r = 0; r < usual.resources; ++r) {
      double use = table.LoadOf(i)[r];
      use_.push_back(use > 0 ? use / table.capacity[r] : 0);
    }
    use_.push_back(
        Dot(usual.axis, {table.pressure.data() + i * pressures, pressures}));
  }
}

// Halves the level whose limits differ most, weighted by its items, until there
// are enough.
void BinLevels::MakeLevels(size_t most_levels, size_t resources) {
  // The first member of each level and, last, the number of all; the limits of
  // members from one to the next belong to a level.
  std::vector<size_t> borders = {0, members_.size()};
  auto spread = [&](size_t begin, size_t end) {
    double low = tolerated_[end - 1];
    double high = tolerated_[begin];
    if (low == high) return 0.0;
    double ratio =
        std::isfinite(high) && low > 0 ? std::log(high / low) : kWideRange;
    return std::min(ratio, kWideRange) * static_cast<double>(end - begin);
  };
  while (borders.size() <= most_levels) {
    size_t widest = 0;
    for (size_t k = 1; k + 1 < borders.size(); ++k) {
      if (spread(borders[k], borders[k + 1]) >
          spread(borders[widest], borders[widest + 1])) {
        widest = k;
      }
    }
    size_t begin = borders[widest];
    size_t end = borders[widest + 1];
    if (spread(begin, end) == 0) break;
    // In the middle between the limits, or between the items if one is 0.
    double low = tolerated_[end - 1];
    double high = tolerated_[begin];
    double middle = std::isfinite(high) && low > 0
                        ? std::sqrt(low * high)
                        : tolerated_[(begin + end) / 2];
    size_t place = begin;
    while (tolerated_[place] > middle || place == begin) ++place;
    if (place == end || tolerated_[place] == high) {
      place = begin;
      while (tolerated_[place] == high) ++place;
    }
    borders.insert(borders.begin() + static_cast<long>(widest) + 1, place);
  }
  for (size_t k = borders.size() - 1; k-- > 0;) {
    levels_.push_back({.low = tolerated_[borders[k + 1] - 1],
                       .high = tolerated_[borders[k]],
                       .members = borders[k + 1],
                       .parts = {}});
  }
  for (size_t j = 0; j < levels_.size(); ++j) {
    bool limited = std::isfinite(levels_[j].high) && levels_[j].high > 0;
    std::vector<double> parts(resources + 1, 1);
    if (!limited && resources > 0) parts.back() = 0;
    SetParts(j, parts);
  }
}

void BinLevels::SetParts(size_t j, std::span<const double> parts) {
  BinLevel& level = levels_[j];
  level.parts.assign(parts.size(), 0);
  double sum = 0;
  for (double part : parts) sum += std::max(0.0, part);
  for (size_t r = 0; r < parts.size(); ++r) {
    level.parts[r] = sum > 0 ? std::max(0.0, parts[r]) / sum
                             : 1 / static_cast<double>(parts.size());
  }
}

}  // namespace mete
