// The files of a machine from the text of a fuzz input.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "fuzz/input.h"
#include "linux/system_root.h"
#include "support/file.h"

namespace mete {

// A line "=== /proc/stat" begins a file; the lines up to the next such line are
// its content. Other paths than those below /proc, /sys and /etc are ignored.
class MachineFiles {
 public:
  explicit MachineFiles(std::string_view input)
      : folder_(*ScratchFolder::Create()), root_(folder_.path()) {
    std::ofstream file;
    for (size_t files = 0; !input.empty();) {
      const std::string_view line = fuzz::TakeLine(input);
      if (!line.starts_with(kMark)) {
        if (file.is_open()) file << line << '\n';
        continue;
      }
      file = {};
      if (++files > kMostFiles) break;
      const std::string path(line.substr(kMark.size()));
      if (IsAllowed(path)) Open(path, file);
    }
  }

  const SystemRoot& root() const { return root_; }

 private:
  static constexpr std::string_view kMark = "=== ";
  static constexpr size_t kMostFiles = 64;

  static bool IsAllowed(const std::string& path) {
    const bool known = path.starts_with("/proc/") ||
                       path.starts_with("/sys/") || path.starts_with("/etc/");
    return known && path.size() < 200 && path.find("..") == std::string::npos &&
           path.find('\0') == std::string::npos;
  }

  void Open(const std::string& path, std::ofstream& file) {
    const std::filesystem::path place = root_.Locate(path);
    std::error_code ignored;
    std::filesystem::create_directories(place.parent_path(), ignored);
    file.open(place);
  }

  ScratchFolder folder_;
  SystemRoot root_;
};

}  // namespace mete
