// The page cache of this machine.
#pragma once

#include "ports/page_cache.h"

namespace mete {

class LinuxPageCache final : public PageCache {
 public:
  Eviction Evict(const std::vector<std::filesystem::path>& files) override;
};

}  // namespace mete
