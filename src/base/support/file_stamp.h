// Whether a file is still the one that was read.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <filesystem>

namespace mete {

// Size and inode besides the time: a file may be replaced within its
// resolution. All 0 for a file that is not there.
struct FileStamp {
  int64_t seconds = 0;
  int64_t nanoseconds = 0;
  int64_t size = 0;
  uint64_t inode = 0;
  bool operator==(const FileStamp&) const = default;
};

inline FileStamp StampOf(const std::filesystem::path& path) {
  struct stat found {};
  if (stat(path.c_str(), &found) != 0) return {};
  return {.seconds = found.st_mtim.tv_sec,
          .nanoseconds = found.st_mtim.tv_nsec,
          .size = found.st_size,
          .inode = found.st_ino};
}

}  // namespace mete
