#include "net/http.h"

#include <algorithm>

#include "net/spooled_body.h"

namespace mete {
namespace {

bool IsPlain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_' || c == '~';
}

std::optional<int> HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return std::nullopt;
}

std::optional<std::string> DecodeForm(std::string text) {
  std::ranges::replace(text, '+', ' ');
  return PercentDecode(text);
}

}  // namespace

std::string_view HttpRequest::Content() const {
  return spooled ? spooled->Content() : std::string_view(body);
}

std::string PercentEncode(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string encoded;
  for (char c : text) {
    if (IsPlain(c)) {
      encoded += c;
      continue;
    }
    auto byte = static_cast<unsigned char>(c);
    encoded += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
  }
  return encoded;
}

std::optional<std::string> PercentDecode(std::string_view text) {
  std::string decoded;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '%') {
      decoded += text[at];
      continue;
    }
    if (at + 2 >= text.size()) return std::nullopt;
    auto high = HexDigit(text[at + 1]);
    auto low = HexDigit(text[at + 2]);
    if (!high || !low) return std::nullopt;
    decoded += static_cast<char>(*high * 16 + *low);
    at += 2;
  }
  return decoded;
}

std::map<std::string, std::string> ParseQuery(std::string_view text) {
  std::map<std::string, std::string> values;
  while (!text.empty()) {
    std::string_view pair = text.substr(0, text.find('&'));
    text.remove_prefix(std::min(text.size(), pair.size() + 1));
    size_t equals = std::min(pair.find('='), pair.size());
    auto name = DecodeForm(std::string(pair.substr(0, equals)));
    auto value =
        DecodeForm(std::string(pair.substr(std::min(pair.size(), equals + 1))));
    if (name && value && !name->empty()) values[*name] = *value;
  }
  return values;
}

HttpTarget SplitTarget(std::string_view target) {
  size_t mark = std::min(target.find('?'), target.size());
  return {.path = target.substr(0, mark),
          .query = target.substr(std::min(target.size(), mark + 1))};
}

}  // namespace mete
