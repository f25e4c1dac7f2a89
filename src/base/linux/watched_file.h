// A small file of /proc, /sys or a cgroup that is read repeatedly.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "linux/system_root.h"
#include "support/descriptor.h"

namespace mete {

// Keeps the file open between readings: the kernel generates the text again
// whenever it is read from the beginning, and opening costs several times as
// much as reading. A file that disappears is absent, and is opened again when
// it comes back. Not thread-safe.
class WatchedFile {
 public:
  WatchedFile(const SystemRoot& root, const std::filesystem::path& file)
      : path_(root.Locate(file)) {}

  // The current contents; absent when the file cannot be read. Valid until the
  // next call.
  std::optional<std::string_view> Text();
  // "" when it cannot be read.
  std::string_view TextOrNone() { return Text().value_or(std::string_view()); }
  // The first line without surrounding blanks; absent when it is empty.
  std::optional<std::string_view> Line();
  // Absent unless the first line begins with a whole number.
  std::optional<int64_t> Number();
  // Absent unless the first line is a non-negative number.
  std::optional<uint64_t> Count();

 private:
  bool Open();
  bool Fill();

  std::filesystem::path path_;
  Descriptor file_;
  std::string buffer_;
  size_t length_ = 0;  // of the text in it
};

// The files of one folder, each opened at its first use. Not thread-safe.
class WatchedFolder {
 public:
  WatchedFolder(const SystemRoot& root, std::filesystem::path folder)
      : root_(root), folder_(std::move(folder)) {}

  WatchedFile& File(std::string_view name);

 private:
  SystemRoot root_;
  std::filesystem::path folder_;
  std::map<std::string, WatchedFile, std::less<>> files_;
};

}  // namespace mete
