#include "linux/system_root.h"

#include <unistd.h>

#include <algorithm>

#include "linux/numbers.h"
#include "linux/scan.h"
#include "support/file.h"
#include "support/text.h"

namespace mete {

std::filesystem::path SystemRoot::Locate(
    const std::filesystem::path& path) const {
  return path.is_absolute() ? root_ / path.relative_path() : path;
}

Result<std::string> SystemRoot::Text(const std::filesystem::path& path) const {
  return ReadFile(Locate(path));
}

std::string SystemRoot::TextOrNone(const std::filesystem::path& path) const {
  auto text = Text(path);
  return text.ok() ? *text : std::string();
}

std::optional<std::string> SystemRoot::Line(
    const std::filesystem::path& path) const {
  auto text = Text(path);
  if (!text.ok()) return std::nullopt;
  std::string_view line = *text;
  constexpr std::string_view kEnds("\n\0", 2);
  line = Trimmed(line.substr(0, line.find_first_of(kEnds)));
  if (line.empty()) return std::nullopt;
  return std::string(line);
}

std::optional<int64_t> SystemRoot::Number(
    const std::filesystem::path& path) const {
  auto line = Line(path);
  return line ? LeadingNumber(*line) : std::nullopt;
}

std::vector<std::string> SystemRoot::Names(
    const std::filesystem::path& folder) const {
  std::vector<std::string> names;
  std::error_code error;
  std::filesystem::directory_iterator entry(Locate(folder), error);
  while (!error && entry != std::filesystem::directory_iterator()) {
    names.push_back(entry->path().filename().string());
    entry.increment(error);
  }
  std::sort(names.begin(), names.end());
  return names;
}

bool SystemRoot::Exists(const std::filesystem::path& path) const {
  return access(Locate(path).c_str(), F_OK) == 0;
}

bool SystemRoot::Writable(const std::filesystem::path& path) const {
  return access(Locate(path).c_str(), W_OK) == 0;
}

std::string_view Trimmed(std::string_view text) {
  size_t first = text.find_first_not_of(" \t\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

std::vector<std::string> SplitLines(std::string_view text) {
  if (!text.empty() && text.back() == '\n') text.remove_suffix(1);
  if (text.empty()) return {};
  return SplitAt(text, '\n');
}

std::optional<std::string> CopyField(std::string_view text,
                                     std::string_view key, char separator) {
  auto value = FindField(text, key, separator);
  return value ? std::optional<std::string>(*value) : std::nullopt;
}

}  // namespace mete
