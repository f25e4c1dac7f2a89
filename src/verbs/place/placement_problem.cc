#include "place/placement_problem.h"

#include <fmt/format.h>

#include <array>

#include "support/check.h"

namespace mete {
namespace {

constexpr std::array kSloStatistics = {SloStatistic::kMean, SloStatistic::kP75,
                                       SloStatistic::kP95, SloStatistic::kP99};

}  // namespace

std::string_view ToString(SloStatistic statistic) {
  switch (statistic) {
    case SloStatistic::kMean:
      return "mean";
    case SloStatistic::kP75:
      return "p75";
    case SloStatistic::kP95:
      return "p95";
    case SloStatistic::kP99:
      return "p99";
  }
  return "";
}

std::string_view ToString(SloTime time) {
  return time == SloTime::kService ? "service" : "sojourn";
}

Result<SloStatistic> ParseSloStatistic(std::string_view text) {
  for (SloStatistic statistic : kSloStatistics) {
    if (text == ToString(statistic)) return statistic;
  }
  return InvalidInput(fmt::format("'{}' is not mean, p75, p95 or p99", text));
}

Result<SloTime> ParseSloTime(std::string_view text) {
  for (SloTime time : {SloTime::kService, SloTime::kSojourn}) {
    if (text == ToString(time)) return time;
  }
  return InvalidInput(fmt::format("'{}' is not service or sojourn", text));
}

std::string ServerName(const ServerType& type, int place) {
  CHECK(place >= 0 && place < type.count);
  if (!type.names.empty()) return type.names[static_cast<size_t>(place)];
  return fmt::format("{}-{}", type.name, place + 1);
}

}  // namespace mete
