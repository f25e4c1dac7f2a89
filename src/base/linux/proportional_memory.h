// Memory of processes with every shared page divided by the number of its users
// (PSS), looked at now and then.
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

// The kernel walks all pages for it: milliseconds for each gigabyte, in which
// the application cannot map memory. So it is read at most once a second, and
// never more than a thousandth of the time. One thread.
class ProportionalMemory {
 public:
  // `clock` must outlive this.
  ProportionalMemory(const SystemRoot& root, const Clock& clock)
      : root_(root), clock_(clock) {}

  using ProcessList = std::function<std::vector<pid_t>()>;
  void LookIfDue(const ProcessList& processes);
  void Look(const ProcessList& processes);
  // The sum at the last look that found any process; absent before.
  std::optional<Bytes> last() const { return last_; }

 private:
  SystemRoot root_;
  const Clock& clock_;
  std::optional<std::chrono::nanoseconds> next_;
  std::optional<Bytes> last_;
};

}  // namespace mete
