// Runs a computation in a child process, because the libraries it needs may end
// the process they run in.
#pragma once

#include <functional>
#include <stop_token>
#include <string>

#include "support/result.h"
#include "support/units.h"

namespace mete {

// When a child is ended.
struct ForkLimits {
  Seconds time{10};
  std::stop_token stop;
};

// What `work` returns in a copy of this process. Libraries have to be loaded
// before: the copy has only one thread, and must not wait for others. Its
// output is discarded. Fails with kTimeout or kInterrupted when the child had
// to be ended, and with kUnavailable if it ended itself or could not be
// started.
Result<std::string> RunForked(const std::function<std::string()>& work,
                              const ForkLimits& limits);

}  // namespace mete
