// How often the parts of the queue look at each other.
#pragma once

#include <chrono>

#include "support/units.h"

namespace mete {

// How soon a worker sees that its job is to be cancelled. With the grace below
// a cancelled job has ended well within a second.
inline constexpr std::chrono::milliseconds kCancelLook{100};
// Between SIGTERM and SIGKILL when a job is cancelled or its worker stopped.
inline constexpr Seconds kCancelGrace{0.3};
// How often a worker says that it lives.
inline constexpr std::chrono::seconds kHeartbeat{1};
// A worker that was silent for longer is gone: five beats, so that a busy disk
// does not look like a death.
inline constexpr std::chrono::seconds kPatience{5};
// How soon an idle worker sees a new job.
inline constexpr std::chrono::milliseconds kQueueLook{200};

}  // namespace mete
