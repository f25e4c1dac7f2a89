// Which CPUs a thread may run on.
#pragma once

#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <vector>

#include "support/result.h"

namespace mete {

// A set of CPUs as the kernel expects it. Made before a fork, because nothing
// may be allocated between fork and exec.
using CpuMask = std::vector<unsigned long>;

inline constexpr size_t kCpusPerWord = sizeof(unsigned long) * CHAR_BIT;

inline CpuMask MakeCpuMask(const std::vector<int>& cpus) {
  if (cpus.empty()) return {};
  auto highest = static_cast<size_t>(*std::ranges::max_element(cpus));
  CpuMask mask(highest / kCpusPerWord + 1);
  for (int cpu : cpus) {
    auto number = static_cast<size_t>(cpu);
    mask[number / kCpusPerWord] |= 1UL << number % kCpusPerWord;
  }
  return mask;
}

// Applies to the calling thread and to those it starts. Returns 0 or errno.
// Allocates nothing.
inline int ApplyCpuMask(const CpuMask& mask) {
  const auto* set = reinterpret_cast<const cpu_set_t*>(mask.data());
  if (sched_setaffinity(0, mask.size() * sizeof(mask[0]), set) == 0) return 0;
  return errno;
}

// The CPUs that the calling thread may use, ascending. Empty when the kernel
// does not say.
inline std::vector<int> AllowedCpus() {
  // The kernel rejects a set smaller than its own: grow until it fits.
  for (size_t words = 16; words <= (1 << 14); words *= 2) {
    CpuMask mask(words);
    auto* set = reinterpret_cast<cpu_set_t*>(mask.data());
    if (sched_getaffinity(0, words * sizeof(mask[0]), set) != 0) continue;
    std::vector<int> cpus;
    for (size_t cpu = 0; cpu < words * kCpusPerWord; ++cpu) {
      bool allowed = (mask[cpu / kCpusPerWord] >> cpu % kCpusPerWord & 1) != 0;
      if (allowed) cpus.push_back(static_cast<int>(cpu));
    }
    return cpus;
  }
  return {};
}

// Applies to the calling thread and to those it starts; `cpus` are ascending.
// The kernel silently leaves out CPUs that do not exist or are not allowed as
// long as one is left. Here that fails with kInvalidInput and changes nothing.
inline Status SetAffinity(const std::vector<int>& cpus) {
  const std::vector<int> before = AllowedCpus();
  int error = ApplyCpuMask(MakeCpuMask(cpus));
  if (error == 0 && AllowedCpus() == cpus) return {};
  if (error != 0 && error != EINVAL) return SystemError("pin a thread", error);
  ApplyCpuMask(MakeCpuMask(before));
  return InvalidInput("a CPU does not exist or is not allowed");
}

}  // namespace mete
