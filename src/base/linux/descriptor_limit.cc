#include "linux/descriptor_limit.h"

#include <sys/resource.h>

#include <algorithm>

namespace mete {

void RaiseDescriptorLimit(size_t requested) {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  const rlim_t most = std::min<rlim_t>(requested, limit.rlim_max);
  if (most <= limit.rlim_cur) return;
  limit.rlim_cur = most;
  setrlimit(RLIMIT_NOFILE, &limit);
}

size_t AffordableDescriptors() {
  constexpr rlim_t kMost = 1536;
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  return static_cast<size_t>(std::min(limit.rlim_cur / 4 * 3, kMost));
}

}  // namespace mete
