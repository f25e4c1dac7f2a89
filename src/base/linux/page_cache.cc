#include "linux/page_cache.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

#include "support/descriptor.h"

namespace mete {
namespace {

// Not a pipe or a device, which opening could block on or change.
Descriptor OpenRegular(const std::filesystem::path& file, struct stat& found) {
  if (stat(file.c_str(), &found) != 0 || !S_ISREG(found.st_mode)) return {};
  return Descriptor(open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
}

}  // namespace

std::optional<Bytes> ReadCachedBytes(const std::filesystem::path& file) {
  struct stat found {};
  Descriptor opened = OpenRegular(file, found);
  if (!opened.open()) return std::nullopt;
  if (geteuid() != 0 && found.st_uid != geteuid()) return std::nullopt;
  if (found.st_size == 0) return Bytes{0};
  const auto size = static_cast<size_t>(found.st_size);
  void* mapped = mmap(nullptr, size, PROT_READ, MAP_SHARED, opened.number(), 0);
  if (mapped == MAP_FAILED) return std::nullopt;
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  std::vector<unsigned char> pages((size + page - 1) / page);
  const int failed = mincore(mapped, size, pages.data());
  munmap(mapped, size);
  if (failed != 0) return std::nullopt;
  const auto cached = std::ranges::count_if(
      pages, [](unsigned char flags) { return (flags & 1) != 0; });
  return Bytes{static_cast<uint64_t>(cached) * page};
}

void EvictFromCache(const std::filesystem::path& file) {
  struct stat found {};
  Descriptor opened = OpenRegular(file, found);
  if (!opened.open()) return;
  // Only clean pages can be dropped. Fails on read-only file systems, which
  // have no others.
  static_cast<void>(fdatasync(opened.number()));
  posix_fadvise(opened.number(), 0, 0, POSIX_FADV_DONTNEED);
}

}  // namespace mete
