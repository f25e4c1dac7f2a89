// Detects that a file has changed since it was read.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <filesystem>

namespace mete {

// Identifies a version of a file. Includes size and inode because a file may be
// replaced within the resolution of its time. All 0 for a missing file.
struct FileStamp {
  int64_t seconds = 0;
  int64_t nanoseconds = 0;
  int64_t size = 0;
  uint64_t inode = 0;
  bool operator==(const FileStamp&) const = default;
};

inline FileStamp ReadFileStamp(const std::filesystem::path& path) {
  struct stat found {};
  if (stat(path.c_str(), &found) != 0) return {};
  return {.seconds = found.st_mtim.tv_sec,
          .nanoseconds = found.st_mtim.tv_nsec,
          .size = found.st_size,
          .inode = found.st_ino};
}

}  // namespace mete
