// Usage between two moments, from totals since the start of a process.
#pragma once

#include "machine/resource_usage.h"

namespace mete {

// Remembers the totals at the attachment and the highest memory seen since.
// Not thread-safe.
class UsageSince {
 public:
  explicit UsageSince(const ResourceUsage& start) : start_(start) {}

  // Counters as the difference to the start, memory as read, and as its peak
  // the highest reading: a peak that the kernel recorded may be older. Totals
  // of a tree shrink when a process leaves it; the usage does not.
  ResourceUsage Update(const ResourceUsage& totals);
  // The result of the last update.
  const ResourceUsage& last() const { return last_; }

 private:
  ResourceUsage start_;
  ResourceUsage last_;
};

}  // namespace mete
