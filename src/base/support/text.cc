#include "support/text.h"

#include <algorithm>
#include <sstream>

namespace mete {
namespace {

constexpr size_t kColumns = 80;

// UTF-8 continuation bytes (10xxxxxx) do not start a character.
bool StartsCharacter(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
}

// Positions at which characters start, and the end.
std::vector<size_t> CharacterStarts(const std::string& text) {
  std::vector<size_t> starts;
  for (size_t i = 0; i < text.size(); ++i) {
    if (StartsCharacter(text[i])) starts.push_back(i);
  }
  starts.push_back(text.size());
  return starts;
}

}  // namespace

size_t DisplayWidth(std::string_view text) {
  return static_cast<size_t>(std::ranges::count_if(text, StartsCharacter));
}

size_t CharacterLength(std::string_view text) {
  if (text.empty()) return 0;
  auto lead = static_cast<unsigned char>(text[0]);
  size_t length = lead < 0x80                    ? 1
                  : lead >= 0xC2 && lead <= 0xDF ? 2
                  : lead >= 0xE0 && lead <= 0xEF ? 3
                  : lead >= 0xF0 && lead <= 0xF4 ? 4
                                                 : 0;
  if (length == 0 || text.size() < length) return 0;
  for (size_t i = 1; i < length; ++i) {
    if (StartsCharacter(text[i])) return 0;
  }
  // RFC 3629: neither overlong forms nor surrogates nor beyond U+10FFFF.
  const auto second = static_cast<unsigned char>(length > 1 ? text[1] : '\0');
  const bool forbidden =
      (lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F) ||
      (lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second > 0x8F);
  return forbidden ? 0 : length;
}

std::string Tame(std::string_view text, size_t most_bytes) {
  constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
  std::string tame;
  while (!text.empty()) {
    const size_t length = CharacterLength(text);
    const std::string_view next =
        length == 0 ? kReplacement : text.substr(0, length);
    if (tame.size() + next.size() > most_bytes) break;
    tame += next;
    text.remove_prefix(std::max<size_t>(length, 1));
  }
  return tame;
}

std::string ShortenMiddle(const std::string& text, size_t width) {
  std::vector<size_t> starts = CharacterStarts(text);
  size_t length = starts.size() - 1;
  if (length <= width || width < 3) return text;
  size_t head = (width - 1) / 2;
  size_t tail = width - 1 - head;
  return text.substr(0, starts[head]) + "…" +
         text.substr(starts[length - tail]);
}

std::vector<std::string> WrapLines(const std::string& text, size_t width) {
  std::vector<std::string> lines(1);
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    size_t used = DisplayWidth(lines.back());
    if (used > 0 && used + 1 + DisplayWidth(word) > width) lines.emplace_back();
    while (DisplayWidth(word) > width) {
      size_t cut = CharacterStarts(word)[width];
      lines.back() = word.substr(0, cut);
      lines.emplace_back();
      word.erase(0, cut);
    }
    if (!lines.back().empty()) lines.back() += ' ';
    lines.back() += word;
  }
  return lines;
}

std::string Wrapped(const std::string& text) {
  if (text.empty()) return "";
  std::string joined;
  for (const std::string& line : WrapLines(text, kColumns)) {
    joined += line + '\n';
  }
  return joined;
}

std::vector<std::string> SplitAt(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    size_t end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

bool HasItem(const std::vector<std::string>& list, std::string_view item) {
  return std::ranges::find(list, item) != list.end();
}

}  // namespace mete
