#include "adapters/host/linux_page_cache.h"

#include <set>

#include "linux/page_cache.h"

namespace mete {
namespace {

// The files this process has open. Opening and closing one of them again would
// drop the locks it holds on it, such as those of its database.
std::set<std::filesystem::path> ListOwnFiles() {
  std::set<std::filesystem::path> files;
  std::error_code error;
  for (const auto& entry :
       std::filesystem::directory_iterator("/proc/self/fd", error)) {
    auto target = std::filesystem::read_symlink(entry.path(), error);
    if (!error) files.insert(target);
  }
  return files;
}

}  // namespace

Eviction LinuxPageCache::Evict(
    const std::vector<std::filesystem::path>& files) {
  Eviction done;
  const std::set<std::filesystem::path> own = ListOwnFiles();
  for (const std::filesystem::path& file : files) {
    if (own.contains(file)) continue;
    const uint64_t before = ReadCachedBytes(file).value_or(Bytes{}).count;
    EvictFromCache(file);
    const uint64_t after = ReadCachedBytes(file).value_or(Bytes{}).count;
    done.kept.count += after;
    if (before > after) done.evicted.count += before - after;
  }
  return done;
}

}  // namespace mete
