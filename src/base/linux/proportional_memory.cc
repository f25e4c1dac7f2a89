#include "linux/proportional_memory.h"

#include <algorithm>

#include "linux/process_usage.h"

namespace mete {
namespace {

constexpr std::chrono::nanoseconds kAtLeast = std::chrono::seconds(1);
constexpr int kPauseForEachLook = 1000;

}  // namespace

void ProportionalMemory::LookIfDue(const ProcessList& processes) {
  if (!next_ || clock_.Now() >= *next_) Look(processes);
}

void ProportionalMemory::Look(const ProcessList& processes) {
  const std::chrono::nanoseconds start = clock_.Now();
  std::optional<Bytes> sum;
  for (pid_t pid : processes()) {
    auto part = ReadProportionalMemory(root_, pid);
    if (part) sum = Bytes{sum.value_or(Bytes{}).count + part->count};
  }
  // Keep the last value once the processes have ended.
  if (sum) last_ = sum;
  const std::chrono::nanoseconds end = clock_.Now();
  next_ = end + std::max(kAtLeast, kPauseForEachLook * (end - start));
}

}  // namespace mete
