// A page cache that records what it is asked to evict.
#pragma once

#include <vector>

#include "ports/page_cache.h"

namespace mete {

class FakePageCache final : public PageCache {
 public:
  Eviction Evict(const std::vector<std::filesystem::path>& files) override {
    evicted.push_back(files);
    return {.kept = kept};
  }

  std::vector<std::vector<std::filesystem::path>> evicted;  // one per call
  Bytes kept;
};

}  // namespace mete
