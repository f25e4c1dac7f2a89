// The file tree of a Linux machine: the real "/", or a recorded one in a test.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/result.h"

namespace mete {

// Reads files below one folder. Paths are written as on the machine itself
// ("/proc/meminfo"); relative paths are not changed. Caches nothing.
// Thread-safe.
class SystemRoot {
 public:
  explicit SystemRoot(std::filesystem::path root = "/")
      : root_(std::move(root)) {}

  // The real location of the machine's `path`; the same when the root is "/".
  std::filesystem::path Locate(const std::filesystem::path& path) const;

  Result<std::string> Text(const std::filesystem::path& path) const;
  // "" when the file cannot be read.
  std::string TextOrNone(const std::filesystem::path& path) const;
  // The first line without surrounding blanks; absent when the file cannot be
  // read or the line is empty. Ends at a NUL, as in device-tree strings.
  std::optional<std::string> Line(const std::filesystem::path& path) const;
  // Absent unless the first line begins with a whole number.
  std::optional<int64_t> Number(const std::filesystem::path& path) const;
  // The names in a folder, sorted; empty when it cannot be read.
  std::vector<std::string> Names(const std::filesystem::path& folder) const;

  bool Exists(const std::filesystem::path& path) const;
  // Checked with access(2), so false on a read-only file system.
  bool Writable(const std::filesystem::path& path) const;

 private:
  std::filesystem::path root_;
};

// Without surrounding whitespace.
std::string_view Trimmed(std::string_view text);
// Lines without their ends. "\r\n" is not treated as a line end.
std::vector<std::string> SplitLines(std::string_view text);
// The value of the first line "key : value" or "key=value" with that key;
// absent when there is none or it is empty.
std::optional<std::string> CopyField(std::string_view text,
                                     std::string_view key, char separator);

}  // namespace mete
