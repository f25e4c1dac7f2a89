#include "agent/duration_bounds.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "support/text.h"
#include "support/units.h"

namespace mete {
namespace {

// Steps of at most 1.25 within a factor of ten that contain 1, 2.5 and 5, which
// are the usual bounds of Prometheus.
constexpr std::array<int, 13> kFineSteps = {100, 125, 150, 175, 200, 250, 300,
                                            350, 400, 500, 600, 700, 800};
constexpr std::array<int, 8> kCoarseSteps = {100, 150, 200, 300,
                                             400, 500, 600, 800};

// Divides whole numbers, so that the bounds print as they are written.
template <typename Steps>
void AppendDecade(const Steps& steps, double divisor,
                  std::vector<double>& bounds) {
  for (int step : steps) bounds.push_back(step / divisor);
}

Result<double> ParseBound(const std::string& text) {
  ASSIGN_OR_RETURN(Seconds bound, ParseDuration(text));
  if (bound.count() <= 0) {
    return InvalidInput(fmt::format("'{}' is not positive", text));
  }
  return bound.count();
}

// "1ms:10s:20", split at the colons.
Result<std::vector<double>> SpreadBounds(
    const std::vector<std::string>& parts) {
  ASSIGN_OR_RETURN(double from, ParseBound(parts[0]));
  ASSIGN_OR_RETURN(double to, ParseBound(parts[1]));
  ASSIGN_OR_RETURN(uint64_t per_decade, ParseCount(parts[2]));
  if (to <= from) return InvalidInput("the end is not above the start");
  if (per_decade == 0) return InvalidInput("0 bounds per factor of ten");
  double steps = std::log10(to / from) * static_cast<double>(per_decade);
  if (steps > kMostDurationBounds) {
    return InvalidInput(
        fmt::format("more than {} bounds", kMostDurationBounds));
  }
  // The last bound is the end itself.
  auto count = static_cast<size_t>(std::max(1.0, std::round(steps)));
  std::vector<double> bounds;
  for (size_t i = 0; i <= count; ++i) {
    double share = static_cast<double>(i) / static_cast<double>(count);
    double bound = from * std::pow(to / from, share);
    // Six digits are enough, and they are the label of the bucket.
    bounds.push_back(std::stod(fmt::format("{:.6g}", bound)));
  }
  return bounds;
}

Result<std::vector<double>> ListBounds(const std::string& text) {
  std::vector<double> bounds;
  for (const std::string& part : SplitAt(text, ',')) {
    ASSIGN_OR_RETURN(double bound, ParseBound(part));
    if (!bounds.empty() && bound <= bounds.back()) {
      return InvalidInput(
          fmt::format("'{}' is not above the bound before it", part));
    }
    bounds.push_back(bound);
  }
  return bounds;
}

}  // namespace

DurationBounds DefaultDurationBounds() {
  std::vector<double> bounds;
  AppendDecade(kCoarseSteps, 1e6, bounds);  // 0.1 ms
  AppendDecade(kFineSteps, 1e5, bounds);    // 1 ms
  AppendDecade(kFineSteps, 1e4, bounds);    // 10 ms
  AppendDecade(kFineSteps, 1e3, bounds);    // 100 ms
  AppendDecade(std::array{100, 150, 200, 250, 300, 400, 500, 600, 800}, 1e2,
               bounds);  // 1 s
  bounds.push_back(10);
  return std::make_shared<const std::vector<double>>(std::move(bounds));
}

Result<DurationBounds> ParseDurationBounds(const std::string& text) {
  std::vector<std::string> parts = SplitAt(text, ':');
  if (parts.size() != 1 && parts.size() != 3) {
    return InvalidInput(fmt::format(
        "'{}' is not a list like 1ms,2ms,5ms or a range like 1ms:10s:20",
        text));
  }
  auto found = parts.size() == 3 ? SpreadBounds(parts) : ListBounds(text);
  if (!found.ok()) return found.error();
  if (found->size() > kMostDurationBounds) {
    return InvalidInput(fmt::format("{} bounds are more than {}", found->size(),
                                    kMostDurationBounds));
  }
  return std::make_shared<const std::vector<double>>(*std::move(found));
}

}  // namespace mete
