#include "linux/file_systems.h"

#include <sys/statvfs.h>

#include <algorithm>

#include "linux/numbers.h"

namespace mete {
namespace {

// mountinfo writes blanks and backslashes of names as \040.
std::string Unescaped(std::string_view text) {
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    bool escape = text[i] == '\\' && i + 3 < text.size();
    if (!escape) {
      plain += text[i];
      continue;
    }
    int code = 0;
    for (size_t digit = 1; digit <= 3; ++digit) {
      code = code * 8 + (text[i + digit] - '0');
    }
    plain += static_cast<char>(code);
    i += 3;
  }
  return plain;
}

// "36 35 98:0 /top /mnt options shared:1 - ext4 /dev/sda1 rw"; proc(5).
std::optional<FileSystem> ReadLine(std::string_view line) {
  std::vector<std::string_view> words = WordsOf(line);
  auto dash = std::ranges::find(words, "-");
  if (words.size() < 5 || words.end() - dash < 3) return std::nullopt;
  return FileSystem{.mount_point = Unescaped(words[4]),
                    .type = std::string(dash[1]),
                    .device = Unescaped(dash[2])};
}

}  // namespace

std::vector<FileSystem> FindFileSystems(const SystemRoot& root) {
  std::vector<FileSystem> found;
  for (const std::string& line :
       LinesOf(root.TextOrNone("/proc/self/mountinfo"))) {
    auto one = ReadLine(line);
    if (!one) continue;
    bool wanted = one->mount_point == "/" || one->device.starts_with("/dev/");
    if (!wanted || one->device.starts_with("/dev/loop")) continue;
    auto same = std::ranges::find(found, one->device, &FileSystem::device);
    if (same == found.end()) {
      found.push_back(*std::move(one));
    } else if (one->mount_point.size() < same->mount_point.size()) {
      *same = *std::move(one);
    }
  }
  return found;
}

std::optional<FileSystemSpace> ReadSpace(const SystemRoot& root,
                                         const std::string& mount_point) {
  struct statvfs told {};
  if (statvfs(root.Locate(mount_point).c_str(), &told) != 0) {
    return std::nullopt;
  }
  return FileSystemSpace{.size = Bytes{told.f_blocks * told.f_frsize},
                         .available = Bytes{told.f_bavail * told.f_frsize}};
}

}  // namespace mete
