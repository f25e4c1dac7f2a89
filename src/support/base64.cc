#include "support/base64.h"

#include <algorithm>
#include <cstdint>

namespace mete {

std::optional<std::string> DecodeBase64(std::string_view text) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  if (text.size() % 4 != 0) return std::nullopt;
  size_t padding = text.ends_with("==") ? 2 : text.ends_with("=") ? 1 : 0;
  std::string decoded;
  uint32_t bits = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    bool padded = at >= text.size() - padding;
    size_t digit = padded ? 0 : kDigits.find(text[at]);
    if (digit == std::string_view::npos) return std::nullopt;
    bits = bits << 6 | static_cast<uint32_t>(digit);
    if (at % 4 != 3) continue;
    for (int shift : {16, 8, 0}) {
      decoded += static_cast<char>(bits >> shift & 255);
    }
    bits = 0;
  }
  decoded.resize(decoded.size() - padding);
  return decoded;
}

}  // namespace mete
