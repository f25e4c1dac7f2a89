#include "measure/timed_series.h"

#include <numeric>

#include "support/units.h"

namespace mete {
namespace {

// Reading the CPU clock is a system call, after which the next microseconds
// run slower: calls shorter than this are sampled, longer ones all read.
constexpr std::chrono::nanoseconds kCpuEvery = std::chrono::milliseconds(1);

}  // namespace

TimedSeries::TimedSeries(const Parts& parts, size_t expected) : parts_(parts) {
  CHECK(!parts.feeds.feeds.empty()) << "nothing to feed the network with";
  seconds_.reserve(expected);
  cpu_.reserve(expected);
}

Status TimedSeries::Feed() {
  const auto& feeds = parts_.feeds.feeds;
  // A single set of inputs stays in the session.
  if (feeds.size() == 1 && size() > 0) return {};
  return parts_.session.SetInputs(feeds[size() % feeds.size()]);
}

Status TimedSeries::TimeOne() {
  RETURN_IF_ERROR(Feed());
  const Clock& clock = parts_.clock;
  bool read_cpu = last_end_ >= next_cpu_;
  Seconds cpu_before = read_cpu ? clock.ProcessCpu() : Seconds(0);
  std::chrono::nanoseconds before = clock.Now();
  Status status = parts_.session.Run();
  std::chrono::nanoseconds after = clock.Now();
  if (!status.ok()) return status;
  if (read_cpu) {
    Seconds used = clock.ProcessCpu() - cpu_before;
    cpu_.push_back({.call = size(), .seconds = used.count()});
    next_cpu_ = after + kCpuEvery;
  }
  seconds_.push_back(Seconds(after - before).count());
  last_end_ = after;
  return {};
}

std::optional<double> TimedSeries::CpuSeconds(size_t first) const {
  double cpu = 0;
  double time = 0;
  for (const CpuSample& sample : cpu_) {
    if (sample.call < first) continue;
    cpu += sample.seconds;
    time += seconds_[sample.call];
  }
  if (time <= 0) return std::nullopt;
  double total =
      std::accumulate(seconds_.begin() + static_cast<std::ptrdiff_t>(first),
                      seconds_.end(), 0.0);
  return cpu / time * total;
}

}  // namespace mete
