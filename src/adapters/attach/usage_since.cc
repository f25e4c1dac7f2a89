#include "adapters/attach/usage_since.h"

#include <algorithm>

namespace mete {
namespace {

// Absent unless both are known.
template <typename T>
std::optional<T> Difference(const std::optional<T>& now,
                            const std::optional<T>& before,
                            const std::optional<T>& last) {
  if (!now || !before) return std::nullopt;
  T since = *now > *before ? T(*now - *before) : T{};
  return std::max(since, last.value_or(since));
}

std::optional<Bytes> Difference(const std::optional<Bytes>& now,
                                const std::optional<Bytes>& before,
                                const std::optional<Bytes>& last) {
  if (!now || !before) return std::nullopt;
  Bytes since{now->count > before->count ? now->count - before->count : 0};
  return std::max(since, last.value_or(since));
}

}  // namespace

ResourceUsage UsageSince::Update(const ResourceUsage& totals) {
  ResourceUsage usage = totals;
  auto subtract = [&](auto ResourceUsage::*counter) {
    usage.*counter =
        Difference(totals.*counter, start_.*counter, last_.*counter);
  };
  subtract(&ResourceUsage::cpu);
  subtract(&ResourceUsage::cpu_user);
  subtract(&ResourceUsage::cpu_system);
  subtract(&ResourceUsage::periods);
  subtract(&ResourceUsage::throttled_periods);
  subtract(&ResourceUsage::throttled);
  subtract(&ResourceUsage::minor_faults);
  subtract(&ResourceUsage::major_faults);
  subtract(&ResourceUsage::disk_read);
  subtract(&ResourceUsage::disk_written);
  subtract(&ResourceUsage::oom_kills);
  usage.memory_peak = last_.memory_peak;
  if (usage.memory) {
    usage.memory_peak =
        std::max(*usage.memory, last_.memory_peak.value_or(Bytes{}));
  }
  last_ = usage;
  return usage;
}

}  // namespace mete
