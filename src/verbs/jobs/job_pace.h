// Polling intervals and timeouts of the job queue.
#pragma once

#include <chrono>

#include "support/units.h"

namespace mete {

// How often a worker checks whether its job is to be cancelled. With the grace
// period below, a cancelled job ends well within a second.
inline constexpr std::chrono::milliseconds kCancelLook{100};
// Time between SIGTERM and SIGKILL when a job is cancelled or its worker
// stopped.
inline constexpr Seconds kCancelGrace{0.3};
// How often a worker sends a heartbeat.
inline constexpr std::chrono::seconds kHeartbeat{1};
// A worker without a heartbeat for longer than this is considered dead. Five
// heartbeats, so that a busy disk does not look like a dead worker.
inline constexpr std::chrono::seconds kPatience{5};
// How often an idle worker looks for a new job.
inline constexpr std::chrono::milliseconds kQueueLook{200};

}  // namespace mete
