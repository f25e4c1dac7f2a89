#include "adapters/host/linux_page_cache.h"

#include "linux/page_cache.h"

namespace mete {

Eviction LinuxPageCache::Evict(
    const std::vector<std::filesystem::path>& files) {
  Eviction done;
  for (const std::filesystem::path& file : files) {
    const uint64_t before = ReadCachedBytes(file).value_or(Bytes{}).count;
    EvictFromCache(file);
    const uint64_t after = ReadCachedBytes(file).value_or(Bytes{}).count;
    done.kept.count += after;
    if (before > after) done.evicted.count += before - after;
  }
  return done;
}

}  // namespace mete
