#include "load/arrival_schedule.h"

#include <fmt/format.h>

#include <cmath>

#include "support/random.h"

namespace mete {
namespace {

constexpr double kNanoseconds = 1e9;
// A year: far beyond any load, and its nanoseconds fit.
constexpr double kLongestWindow = 365.0 * 86400;

std::chrono::nanoseconds ToNanoseconds(double seconds) {
  return std::chrono::nanoseconds(std::llround(seconds * kNanoseconds));
}

Status CheckArrivals(const ArrivalRequest& request) {
  if (!std::isfinite(request.rate) || request.rate <= 0) {
    return InvalidInput("the rate must be positive");
  }
  double window = request.window.count();
  if (!(window > 0)) return InvalidInput("the duration must be positive");
  if (window > kLongestWindow || ToNanoseconds(window).count() == 0) {
    return InvalidInput("the duration must be between 1 ns and a year");
  }
  if (request.rate * window > static_cast<double>(kMostArrivals)) {
    return InvalidInput(fmt::format(
        "{:.3g} requests per second for {} are too many requests to record; at "
        "most {}",
        request.rate, FormatSeconds(window), FormatCount(kMostArrivals)));
  }
  return {};
}

ArrivalSchedule EmptySchedule(const ArrivalRequest& request) {
  ArrivalSchedule schedule{.window = ToNanoseconds(request.window.count())};
  // A little more than the mean number, which a Poisson stream may exceed.
  schedule.times.reserve(
      static_cast<size_t>(request.rate * request.window.count() * 1.1) + 16);
  return schedule;
}

}  // namespace

double ArrivalSchedule::rate() const {
  if (window.count() <= 0) return 0;
  return static_cast<double>(times.size()) / Seconds(window).count();
}

Result<ArrivalSchedule> PoissonArrivals(const ArrivalRequest& request) {
  RETURN_IF_ERROR(CheckArrivals(request));
  ArrivalSchedule schedule = EmptySchedule(request);
  Random random(request.seed);
  for (double at = 0;;) {
    at += -std::log1p(-random.Uniform()) / request.rate;
    // Compared in seconds first: a sum beyond 292 years does not fit.
    if (at >= request.window.count()) break;
    std::chrono::nanoseconds time = ToNanoseconds(at);
    if (time >= schedule.window) break;
    schedule.times.push_back(time);
  }
  schedule.origin =
      fmt::format("poisson {:.6g}/s, seed {}", request.rate, request.seed);
  return schedule;
}

Result<ArrivalSchedule> ConstantArrivals(const ArrivalRequest& request) {
  RETURN_IF_ERROR(CheckArrivals(request));
  ArrivalSchedule schedule = EmptySchedule(request);
  for (size_t i = 0;; ++i) {
    std::chrono::nanoseconds time =
        ToNanoseconds(static_cast<double>(i) / request.rate);
    if (time >= schedule.window) break;
    schedule.times.push_back(time);
  }
  schedule.origin = fmt::format("constant {:.6g}/s", request.rate);
  return schedule;
}

}  // namespace mete
