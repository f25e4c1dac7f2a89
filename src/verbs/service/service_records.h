// Remembers when the latest requests arrived, started and ended.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace mete {

// The times of one served request, all of the service's monotonic clock.
struct ServiceRecord {
  std::chrono::nanoseconds arrival{0};    // the request was complete
  std::chrono::nanoseconds start{0};      // a worker took it
  std::chrono::nanoseconds departure{0};  // its outputs were there
  size_t queue_length = 0;  // requests that waited when it arrived

  std::chrono::nanoseconds QueueingTime() const { return start - arrival; }
  std::chrono::nanoseconds ServiceTime() const { return departure - start; }
};

// The records that are kept, oldest first, and how many were dropped.
struct ServiceHistory {
  std::vector<ServiceRecord> records;
  uint64_t dropped = 0;  // since the last Flush
};

// Keeps the latest records in bounded memory. Thread-safe.
class ServiceRecords {
 public:
  // Ten minutes at 160 requests per second, in 3.2 MB.
  static constexpr size_t kMostRecords = 100'000;

  explicit ServiceRecords(size_t most = kMostRecords) : most_(most) {}

  void Add(const ServiceRecord& record);
  ServiceHistory Read() const;
  // Forgets all of them. Returns how many there were.
  size_t Flush();

 private:
  const size_t most_;
  mutable std::mutex mutex_;  // guards the rest
  std::vector<ServiceRecord> ring_;
  size_t oldest_ = 0;  // once the ring is full
  uint64_t dropped_ = 0;
};

}  // namespace mete
