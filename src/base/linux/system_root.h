// A file tree that looks like a Linux machine: the real "/", or a recorded one
// in a test.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/result.h"

namespace mete {

// Reads below one folder. Paths are written as on the machine itself
// ("/proc/meminfo"); a relative path is left as it is. Nothing is cached; safe
// to call from any thread.
class SystemRoot {
 public:
  explicit SystemRoot(std::filesystem::path root = "/")
      : root_(std::move(root)) {}

  // Where the machine's `path` really lies: the same path when the root is /.
  std::filesystem::path Locate(const std::filesystem::path& path) const;

  Result<std::string> Text(const std::filesystem::path& path) const;
  // "" when the file cannot be read.
  std::string TextOrNone(const std::filesystem::path& path) const;
  // The first line without surrounding blanks; absent when the file cannot be
  // read or the line is empty. A NUL ends it, as in device-tree strings.
  std::optional<std::string> Line(const std::filesystem::path& path) const;
  // Absent unless the first line begins with a whole number.
  std::optional<int64_t> Number(const std::filesystem::path& path) const;
  // The names in a folder, sorted; none when it cannot be read.
  std::vector<std::string> Names(const std::filesystem::path& folder) const;

  bool Exists(const std::filesystem::path& path) const;
  // By access(2): also false on a file system mounted read-only.
  bool Writable(const std::filesystem::path& path) const;

 private:
  std::filesystem::path root_;
};

std::string_view Trimmed(std::string_view text);
// Without the line ends; "\r\n" is not a Linux line end.
std::vector<std::string> LinesOf(std::string_view text);
// "key : value" or "key=value" of the first line with that key; absent when
// there is none or its value is empty.
std::optional<std::string> FieldOf(std::string_view text, std::string_view key,
                                   char separator);

}  // namespace mete
