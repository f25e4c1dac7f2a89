#include "measure/timed_series.h"

#include <algorithm>
#include <numeric>

#include "support/units.h"

namespace mete {
namespace {

// Reading the CPU clock is a system call. The next microseconds run slower, and
// the kernel tends to reschedule there. So it is read ten times a second, not
// around every call.
constexpr std::chrono::nanoseconds kStretch = std::chrono::milliseconds(100);

}  // namespace

TimedSeries::TimedSeries(const Parts& parts, size_t expected) : parts_(parts) {
  CHECK(!parts.feeds.feeds.empty()) << "nothing to feed the network with";
  seconds_.reserve(expected);
}

Status TimedSeries::Feed() {
  const auto& feeds = parts_.feeds.feeds;
  // A single set of inputs is set once and stays in the session.
  if (feeds.size() == 1 && size() > 0) return {};
  return parts_.session.SetInputs(feeds[size() % feeds.size()]);
}

Status TimedSeries::TimeOne() {
  parts_.session.ReleaseOutputs();
  RETURN_IF_ERROR(Feed());
  const Clock& clock = parts_.clock;
  if (stretches_.empty() || last_end_ >= stretch_end_) {
    cpu_before_ = clock.ProcessCpu();
    stretch_end_ = clock.Now() + kStretch;
    stretches_.push_back({.first = size(), .end = size()});
  }
  std::chrono::nanoseconds before = clock.Now();
  Status status = parts_.session.Run();
  std::chrono::nanoseconds after = clock.Now();
  if (!status.ok()) return status;
  seconds_.push_back(Seconds(after - before).count());
  last_end_ = after;
  if (after >= stretch_end_) CloseStretch();
  return {};
}

void TimedSeries::CloseStretch() {
  if (stretches_.empty() || stretches_.back().end == size()) return;
  stretches_.back().end = size();
  stretches_.back().cpu = parts_.clock.ProcessCpu() - cpu_before_;
}

double TimedSeries::Total(size_t first, size_t end) const {
  return std::accumulate(seconds_.begin() + static_cast<std::ptrdiff_t>(first),
                         seconds_.begin() + static_cast<std::ptrdiff_t>(end),
                         0.0);
}

std::optional<Seconds> TimedSeries::CpuTime(size_t first) {
  CloseStretch();
  if (first >= size()) return std::nullopt;
  Seconds cpu{0};
  for (const Stretch& stretch : stretches_) {
    if (stretch.end <= first) continue;
    // The share of the stretch containing `first` that counts.
    double whole = Total(stretch.first, stretch.end);
    double part = Total(std::max(first, stretch.first), stretch.end);
    if (whole > 0) cpu += stretch.cpu * part / whole;
  }
  return cpu;
}

}  // namespace mete
