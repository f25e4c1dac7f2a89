// Loads services and records what happens to each request. Open loop: requests
// are sent at their times whether earlier ones were answered or not, so a slow
// service cannot slow the load down and hide its own latency (coordinated
// omission).
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <stop_token>
#include <vector>

#include "load/load_plan.h"
#include "load/load_samples.h"
#include "net/http_channel.h"
#include "support/clock.h"
#include "support/result.h"

namespace mete {

// How far a load is.
struct LoadProgress {
  std::chrono::nanoseconds elapsed{0};
  std::chrono::nanoseconds window{0};  // the longest of all targets
  size_t sent = 0;
  size_t planned = 0;
  size_t outstanding = 0;  // sent and not answered
};

// What a load needs.
struct LoadDependencies {
  Clock& clock;
  // Makes the connections of one load; OpenHttpChannel in the program.
  std::function<Result<std::unique_ptr<HttpChannel>>()> open_channel;
  // Called about twice a second from the sending thread; may be empty. Must be
  // quick.
  std::function<void(const LoadProgress&)> progress{};
};

// Sends every request of every target from the calling thread, then waits for
// missing answers until the drain is over. Returns one entry per target, in the
// order of the plan; after `stop` with what was measured and `interrupted` set.
// Fails with kInvalidInput for a plan without targets or endpoints, and with
// kUnavailable when a service does not accept connections at the start.
Result<std::vector<LoadSamples>> RunLoad(const LoadPlan& plan,
                                         const LoadDependencies& dependencies,
                                         std::stop_token stop);

}  // namespace mete
