// Recorded arrival times as text, in both directions.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "load/arrival_schedule.h"
#include "support/parse_number.h"

namespace mete {
namespace {

// A day; longer traces are a mistake in the unit.
constexpr double kLongestTrace = 86400;
constexpr std::string_view kTimesHeading = "arrival_s";
constexpr std::string_view kGapsHeading = "gap_s";

std::string_view Stripped(std::string_view line) {
  line = line.substr(0, line.find('#'));
  size_t begin = line.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return line.substr(begin, line.find_last_not_of(" \t\r") - begin + 1);
}

// Collects the lines of a trace.
class TraceReader {
 public:
  Status Read(std::string_view text) {
    for (size_t number = 1; !text.empty(); ++number) {
      size_t end = text.find('\n');
      Status line = ReadLine(Stripped(text.substr(0, end)));
      if (!line.ok()) {
        return std::move(line).While(fmt::format("line {}", number));
      }
      if (end == std::string_view::npos) break;
      text.remove_prefix(end + 1);
    }
    if (times_.empty()) return InvalidInput("no arrival times");
    return {};
  }
  std::vector<std::chrono::nanoseconds> Take() { return std::move(times_); }

 private:
  Status ReadLine(std::string_view line) {
    if (line.empty()) return {};
    bool heading = line == kTimesHeading || line == kGapsHeading;
    if (heading && first_) {
      gaps_ = line == kGapsHeading;
      first_ = false;
      return {};
    }
    first_ = false;
    auto seconds = ParseNumber<double>(line);
    if (!seconds || !std::isfinite(*seconds)) {
      return InvalidInput("expected a number of seconds");
    }
    if (*seconds < 0) return InvalidInput("a time cannot be negative");
    return Add(gaps_ ? last_ + *seconds : *seconds);
  }

  Status Add(double at) {
    if (at > kLongestTrace) {
      return InvalidInput("arrivals must lie within a day; is the unit right?");
    }
    if (at < last_) return InvalidInput("arrival times must not decrease");
    if (times_.size() == kMostArrivals) {
      return InvalidInput("too many arrivals");
    }
    last_ = at;
    times_.emplace_back(std::llround(at * 1e9));
    return {};
  }

  bool first_ = true;
  bool gaps_ = false;
  double last_ = 0;
  std::vector<std::chrono::nanoseconds> times_;
};

// One mean gap after the last request. A single request has no gap: a second.
std::chrono::nanoseconds EndOfTrace(
    const std::vector<std::chrono::nanoseconds>& times) {
  auto last = times.back();
  if (times.size() < 2) return last + std::chrono::seconds(1);
  auto gap = (last - times.front()) / static_cast<int64_t>(times.size() - 1);
  return last + std::max(gap, std::chrono::nanoseconds(1));
}

}  // namespace

Result<ArrivalSchedule> ParseArrivalTrace(std::string_view text,
                                          std::optional<Seconds> window) {
  TraceReader reader;
  RETURN_IF_ERROR(reader.Read(text));
  ArrivalSchedule schedule{.times = reader.Take()};
  schedule.window =
      window ? std::chrono::duration_cast<std::chrono::nanoseconds>(*window)
             : EndOfTrace(schedule.times);
  auto end = std::lower_bound(schedule.times.begin(), schedule.times.end(),
                              schedule.window);
  schedule.times.erase(end, schedule.times.end());
  if (schedule.times.empty()) {
    return InvalidInput("no arrival lies within the duration");
  }
  schedule.origin = "trace";
  return schedule;
}

std::string FormatArrivalTrace(const ArrivalSchedule& schedule) {
  std::string text = fmt::format("{}\n", kTimesHeading);
  for (std::chrono::nanoseconds time : schedule.times) {
    fmt::format_to(std::back_inserter(text), "{}.{:09}\n",
                   time.count() / 1'000'000'000, time.count() % 1'000'000'000);
  }
  return text;
}

}  // namespace mete
