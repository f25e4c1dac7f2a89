#include "linux/mount_table.h"

#include <algorithm>
#include <optional>

#include "support/text.h"

namespace mete {
namespace {

bool IsOctal(char c) { return c >= '0' && c <= '7'; }

// The kernel escapes blanks as \040, backslashes as \134.
std::string Unescaped(const std::string& text) {
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 3 < text.size() && IsOctal(text[i + 1]) &&
        IsOctal(text[i + 2]) && IsOctal(text[i + 3])) {
      plain += static_cast<char>((text[i + 1] - '0') * 64 +
                                 (text[i + 2] - '0') * 8 + (text[i + 3] - '0'));
      i += 3;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

// id parent major:minor top point options [tags…] - type device super-options.
std::optional<MountedFileSystem> ReadLine(const std::string& line) {
  std::vector<std::string> fields = SplitAt(line, ' ');
  auto dash = std::ranges::find(fields, "-");
  if (dash - fields.begin() < 6 || fields.end() - dash < 4) return std::nullopt;
  return MountedFileSystem{.top = Unescaped(fields[3]),
                           .point = Unescaped(fields[4]),
                           .type = dash[1],
                           .device = Unescaped(dash[2]),
                           .options = dash[3]};
}

// "/host/boot" below "/host" is the machine's "/boot"; absent if not below it.
std::optional<std::filesystem::path> Below(const std::filesystem::path& root,
                                           const std::filesystem::path& point) {
  auto [end, rest] = std::ranges::mismatch(root, point);
  if (end != root.end()) return std::nullopt;
  std::filesystem::path own = "/";
  for (; rest != point.end(); ++rest) own /= *rest;
  return own;
}

}  // namespace

std::vector<MountedFileSystem> ReadMounts(const SystemRoot& root) {
  std::vector<MountedFileSystem> all;
  std::vector<MountedFileSystem> below;
  const std::filesystem::path top = root.Locate("/").parent_path();
  for (const std::string& line :
       SplitLines(root.TextOrNone("/proc/self/mountinfo"))) {
    auto mounted = ReadLine(line);
    if (!mounted) continue;
    all.push_back(*mounted);
    if (top == "/") continue;
    auto own = Below(top, mounted->point);
    if (!own) continue;
    mounted->point = *own;
    below.push_back(*std::move(mounted));
  }
  return below.empty() ? all : below;
}

}  // namespace mete
