#include "linux/scan.h"

#include "linux/system_root.h"

namespace mete {

std::optional<std::string_view> TakeLine(std::string_view& rest) {
  if (rest.empty()) return std::nullopt;
  const size_t end = rest.find('\n');
  const std::string_view line = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  return line;
}

size_t FirstWords(std::string_view text, std::span<std::string_view> words) {
  constexpr std::string_view kBlanks = " \t\n";
  size_t found = 0;
  size_t start = text.find_first_not_of(kBlanks);
  while (start != std::string_view::npos && found < words.size()) {
    const size_t end = text.find_first_of(kBlanks, start);
    words[found++] = text.substr(start, end - start);
    start = text.find_first_not_of(kBlanks, end);
  }
  return found;
}

std::optional<std::string_view> FindField(std::string_view text,
                                          std::string_view key,
                                          char separator) {
  while (auto line = TakeLine(text)) {
    // Most lines of a long file do not match; skip them quickly.
    const size_t start = line->find_first_not_of(' ');
    if (start == std::string_view::npos) continue;
    if (line->compare(start, key.size(), key) != 0) continue;
    const size_t middle = line->find(separator, start);
    if (middle == std::string_view::npos) continue;
    if (Trimmed(line->substr(0, middle)) != key) continue;
    const std::string_view value = Trimmed(line->substr(middle + 1));
    if (value.empty()) return std::nullopt;
    return value;
  }
  return std::nullopt;
}

}  // namespace mete
