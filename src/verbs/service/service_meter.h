// Counts what a service did since it started, for /metrics.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include "service/service_records.h"

namespace mete {

// A histogram of durations. Thread-safe.
class DurationHistogram {
 public:
  // Upper bounds of the buckets in seconds; one more bucket holds the rest.
  static constexpr std::array<double, 12> kBounds = {
      0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30};

  void Add(std::chrono::nanoseconds duration);
  // Of the bucket alone, not of all below it.
  uint64_t Count(size_t bucket) const { return counts_.at(bucket); }
  std::chrono::nanoseconds Sum() const {
    return std::chrono::nanoseconds(sum_.load());
  }

 private:
  std::array<std::atomic<uint64_t>, kBounds.size() + 1> counts_{};
  std::atomic<int64_t> sum_{0};
};

// How requests ended, and how long they took. Thread-safe.
struct ServiceMeter {
  std::atomic<uint64_t> served{0};
  std::atomic<uint64_t> failed{0};    // the engine failed
  std::atomic<uint64_t> invalid{0};   // inputs the network does not take
  std::atomic<uint64_t> rejected{0};  // the queue was full, or draining
  DurationHistogram service_time;
  DurationHistogram queueing_time;

  void AddServed(const ServiceRecord& record);
};

}  // namespace mete
