// Port: the page cache of this machine, in which the kernel keeps the contents
// of files. A workload does not pay for pages that are there already.
#pragma once

#include <filesystem>
#include <vector>

#include "support/units.h"

namespace mete {

// What was evicted from the page cache.
struct Eviction {
  Bytes evicted;
  // Still cached, because other running programs use them.
  Bytes kept;
};

// Evicts files from the page cache.
class PageCache {
 public:
  virtual ~PageCache() = default;
  virtual Eviction Evict(const std::vector<std::filesystem::path>& files) = 0;
};

}  // namespace mete
