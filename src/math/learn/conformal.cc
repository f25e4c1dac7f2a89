#include "learn/conformal.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "support/check.h"

namespace mete {
namespace {

struct Weighted {
  double magnitude = 0;
  double weight = 0;
};

// The smallest magnitude below which `coverage` of the weight lies; `beyond` is
// the weight of the new observation.
std::optional<double> WeightedQuantile(std::vector<Weighted> values,
                                       double beyond, double coverage) {
  std::sort(values.begin(), values.end(),
            [](const Weighted& a, const Weighted& b) {
              return a.magnitude < b.magnitude;
            });
  double whole = beyond;
  for (const Weighted& value : values) whole += value.weight;
  double reached = 0;
  for (const Weighted& value : values) {
    reached += value.weight;
    // Tolerates rounding in sums of many fractions.
    if (reached >= coverage * whole * (1 - 1e-12)) return value.magnitude;
  }
  return std::nullopt;
}

std::map<std::string, size_t> CountByGroup(
    std::span<const std::string> groups) {
  std::map<std::string, size_t> counts;
  for (const std::string& group : groups) ++counts[group];
  return counts;
}

}  // namespace

std::optional<double> ConformalRadius(std::span<const double> residuals,
                                      double coverage) {
  std::vector<Weighted> values;
  for (double residual : residuals) values.push_back({std::abs(residual), 1});
  return WeightedQuantile(std::move(values), 1, coverage);
}

std::optional<double> GroupConformalRadius(std::span<const double> residuals,
                                           std::span<const std::string> groups,
                                           double coverage) {
  CHECK(residuals.size() == groups.size())
      << "residuals and groups differ in number";
  std::map<std::string, size_t> counts = CountByGroup(groups);
  std::vector<Weighted> values;
  for (size_t i = 0; i < residuals.size(); ++i) {
    values.push_back(
        {std::abs(residuals[i]), 1.0 / static_cast<double>(counts[groups[i]])});
  }
  return WeightedQuantile(std::move(values), 1, coverage);
}

std::optional<double> LeaveGroupOutCoverage(std::span<const double> residuals,
                                            std::span<const std::string> groups,
                                            double coverage) {
  if (residuals.empty()) return std::nullopt;
  size_t covered = 0;
  for (const auto& [group, count] : CountByGroup(groups)) {
    std::vector<double> others;
    std::vector<std::string> their_groups;
    for (size_t i = 0; i < residuals.size(); ++i) {
      if (groups[i] == group) continue;
      others.push_back(residuals[i]);
      their_groups.push_back(groups[i]);
    }
    std::optional<double> radius =
        GroupConformalRadius(others, their_groups, coverage);
    if (!radius) return std::nullopt;
    for (size_t i = 0; i < residuals.size(); ++i) {
      if (groups[i] == group && std::abs(residuals[i]) <= *radius) ++covered;
    }
  }
  return static_cast<double>(covered) / static_cast<double>(residuals.size());
}

}  // namespace mete
