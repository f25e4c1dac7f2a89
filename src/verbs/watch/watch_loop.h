// Repeats rounds until it is stopped.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>

#include "watch/cluster_mirror.h"
#include "watch/leadership.h"
#include "watch/watch_round.h"

namespace mete {

// What the loop reports, on the thread that called Run.
struct WatchLoopCallbacks {
  std::function<void(const RoundReport&)> round;
  std::function<void(const std::string&)> warn;
  std::function<void(const std::string&)> note;
  // Absent: nothing to read again. Called between rounds and once a second
  // while the loop waits; a new configuration applies to the next round.
  std::function<std::optional<WatchConfig>()> reload;
};

// Options of the loop.
struct WatchLoopOptions {
  WatchRequest request;
  std::optional<Seconds> period;      // instead of the one in the configuration
  std::optional<LeaseRequest> lease;  // absent: no other replicas
};

// Starts a round at every multiple of the period. A round that fails because
// metrics or the cluster are lost is a warning; the next attempts follow after
// 1, 2, 4, … seconds, at most one period. Fails only for errors that a retry
// cannot fix: invalid input, no permission. Ends successfully after `stop`.
Status WatchUntilStopped(const WatchLoopOptions& options,
                         const WatchDependencies& dependencies,
                         const WatchLoopCallbacks& callbacks,
                         std::stop_token stop);

}  // namespace mete
