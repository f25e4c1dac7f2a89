// Proportional set size (PSS) of a set of processes, read now and then.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <optional>
#include <vector>

#include "linux/system_root.h"
#include "support/clock.h"
#include "support/units.h"

namespace mete {

// The kernel walks all pages to compute PSS: milliseconds per gigabyte, during
// which the application cannot map memory. So it is read at most once a second
// and for at most a thousandth of the time. Not thread-safe.
class ProportionalMemory {
 public:
  // `clock` must outlive this.
  ProportionalMemory(const SystemRoot& root, const Clock& clock)
      : root_(root), clock_(clock) {}

  using ProcessList = std::function<std::vector<pid_t>()>;
  void LookIfDue(const ProcessList& processes);
  void Look(const ProcessList& processes);
  // The sum at the last reading that found any process; absent before that.
  std::optional<Bytes> last() const { return last_; }

 private:
  SystemRoot root_;
  const Clock& clock_;
  std::optional<std::chrono::nanoseconds> next_;
  std::optional<Bytes> last_;
};

}  // namespace mete
