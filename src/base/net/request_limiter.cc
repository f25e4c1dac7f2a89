#include "net/request_limiter.h"

#include <algorithm>
#include <cmath>

namespace mete {

std::optional<std::chrono::seconds> RequestLimiter::Wait(
    const std::string& address) {
  if (rate_.per_second <= 0 || address.empty()) return std::nullopt;
  const std::chrono::nanoseconds now = clock_.Now();
  std::lock_guard lock(mutex_);
  Bucket& bucket = Find(address, now);
  const double passed =
      std::chrono::duration<double>(now - bucket.filled).count();
  bucket.tokens = std::min(std::max(rate_.burst, 1.0),
                           bucket.tokens + passed * rate_.per_second);
  bucket.filled = now;
  if (bucket.tokens >= 1) {
    bucket.tokens -= 1;
    return std::nullopt;
  }
  return std::chrono::seconds(
      static_cast<int64_t>(std::ceil((1 - bucket.tokens) / rate_.per_second)));
}

RequestLimiter::Bucket& RequestLimiter::Find(const std::string& address,
                                             std::chrono::nanoseconds now) {
  if (auto found = places_.find(address); found != places_.end()) {
    buckets_.splice(buckets_.end(), buckets_, found->second);
    return buckets_.back();
  }
  if (buckets_.size() >= kMostAddresses) {
    places_.erase(buckets_.front().address);
    buckets_.pop_front();
  }
  buckets_.push_back({.address = address,
                      .tokens = std::max(rate_.burst, 1.0),
                      .filled = now});
  places_[address] = std::prev(buckets_.end());
  return buckets_.back();
}

}  // namespace mete
