#include "linux/proportional_memory.h"

#include <algorithm>

#include "linux/process_usage.h"

namespace mete {
namespace {

constexpr std::chrono::nanoseconds kAtLeast = std::chrono::seconds(1);
constexpr int kPauseForEachLook = 1000;
constexpr int kPauseIfGrown = 20;

bool Grown(std::optional<Bytes> before, std::optional<Bytes> now) {
  return before && now && now->count > before->count + before->count / 20;
}

}  // namespace

void ProportionalMemory::LookIfDue(const ProcessList& processes,
                                   std::optional<Bytes> memory) {
  const std::chrono::nanoseconds now = clock_.Now();
  const bool due = !next_ || now >= *next_;
  if (due || (now >= next_if_grown_ && Grown(memory_, memory))) {
    Look(processes, memory);
  }
}

void ProportionalMemory::Look(const ProcessList& processes,
                              std::optional<Bytes> memory) {
  const std::chrono::nanoseconds start = clock_.Now();
  std::optional<Bytes> sum;
  for (pid_t pid : processes()) {
    auto part = ReadProportionalMemory(root_, pid);
    if (part) sum = Bytes{sum.value_or(Bytes{}).count + part->count};
  }
  memory_ = memory;
  if (sum && (!highest_ || *sum >= highest_->bytes)) {
    highest_ = Reading{.bytes = *sum, .at = start - start_, .memory = memory};
  }
  const std::chrono::nanoseconds end = clock_.Now();
  next_ = end + std::max(kAtLeast, kPauseForEachLook * (end - start));
  next_if_grown_ = end + kPauseIfGrown * (end - start);
}

std::optional<ProportionalMemory::Reading> ProportionalMemory::NearPeak(
    std::optional<Bytes> peak) const {
  const bool known = highest_ && highest_->memory && peak;
  if (known && highest_->memory->count < peak->count / 10 * 9) {
    return std::nullopt;
  }
  return highest_;
}

}  // namespace mete
