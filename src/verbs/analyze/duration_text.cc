#include "analyze/duration_text.h"

#include <fmt/format.h>

#include <utility>

namespace mete {

std::string DurationText(Seconds duration) {
  const double seconds = duration.count();
  if (seconds < 100) return FormatSeconds(seconds);
  for (const auto& [unit, length, until] :
       {std::tuple{"min", 60.0, 100.0}, std::tuple{"h", 3600.0, 48.0}}) {
    if (seconds / length < until) {
      return fmt::format("{:.3g} {}", seconds / length, unit);
    }
  }
  return fmt::format("{:.3g} d", seconds / 86400);
}

}  // namespace mete
