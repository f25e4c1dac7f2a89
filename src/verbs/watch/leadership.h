// Leader election: only one of several replicas writes.
#pragma once

#include <atomic>
#include <functional>
#include <stop_token>
#include <string>
#include <thread>

#include "ports/cluster.h"
#include "support/clock.h"

namespace mete {

// Holds or waits for a lease on a thread of its own, and releases it at the
// end. Thread-safe.
class Leadership {
 public:
  // `changed` is called on that thread with whether we lead, and who does.
  Leadership(
      Cluster& cluster, LeaseRequest lease, Clock& clock,
      std::function<void(bool leads, const std::string& holder)> changed);
  ~Leadership();

  // False from two thirds of the lease's duration after the last renewal: the
  // others wait for all of it before they take over.
  bool leads() const;

 private:
  void Renew(std::stop_token stop);

  Cluster& cluster_;
  const LeaseRequest lease_;
  Clock& clock_;
  const std::function<void(bool, const std::string&)> changed_;
  std::atomic<bool> held_ = false;
  std::atomic<int64_t> renewed_ = 0;  // Clock::Now, nanoseconds
  std::jthread thread_;               // last: it uses the rest
};

}  // namespace mete
