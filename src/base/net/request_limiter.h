// Limits how many requests a client may make, by its address.
#pragma once

#include <chrono>
#include <cstddef>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "support/clock.h"

namespace mete {

// How many requests one address may make.
struct RequestRate {
  double per_second = 0;  // 0: no limit
  double burst = 0;       // as many at once after a pause; at least 1
};

// A token bucket for each address: it fills at the rate, up to the burst, and
// every request takes one token. Thread-safe and quick.
class RequestLimiter {
 public:
  // Addresses that are remembered. Beyond that, the one that has been silent
  // for longest is forgotten: its bucket is most likely full again.
  static constexpr size_t kMostAddresses = 10'000;

  // `clock` must outlive it.
  RequestLimiter(RequestRate rate, const Clock& clock)
      : rate_(rate), clock_(clock) {}

  // Returns nothing if the request may proceed, otherwise how long the client
  // must wait. An empty address, that of a Unix socket, is never limited.
  std::optional<std::chrono::seconds> Wait(const std::string& address);

  size_t addresses() const {
    std::lock_guard lock(mutex_);
    return buckets_.size();
  }

 private:
  // What an address has left.
  struct Bucket {
    std::string address;
    double tokens;
    std::chrono::nanoseconds filled;  // when `tokens` was right
  };
  using Buckets = std::list<Bucket>;
  Bucket& Find(const std::string& address, std::chrono::nanoseconds now);

  const RequestRate rate_;
  const Clock& clock_;
  mutable std::mutex mutex_;  // guards the rest
  Buckets buckets_;           // silent for longest first
  std::map<std::string, Buckets::iterator, std::less<>> places_;
};

}  // namespace mete
