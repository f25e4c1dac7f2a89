#include "support/base64.h"

#include <array>
#include <cstdint>

namespace mete {
namespace {

constexpr std::string_view kBase64Digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr uint8_t kNoDigit = 255;

constexpr std::array<uint8_t, 256> DigitValues() {
  std::array<uint8_t, 256> values{};
  values.fill(kNoDigit);
  for (size_t i = 0; i < kBase64Digits.size(); ++i) {
    values[static_cast<uint8_t>(kBase64Digits[i])] = static_cast<uint8_t>(i);
  }
  return values;
}

}  // namespace

std::string EncodeBase64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t at = 0; at < bytes.size(); at += 3) {
    uint32_t bits = 0;
    for (size_t i = at; i < at + 3; ++i) {
      bits =
          bits << 8 | (i < bytes.size() ? static_cast<uint8_t>(bytes[i]) : 0u);
    }
    for (int shift : {18, 12, 6, 0}) text += kBase64Digits[bits >> shift & 63];
  }
  for (size_t i = 0; i < (3 - bytes.size() % 3) % 3; ++i) {
    text[text.size() - 1 - i] = '=';
  }
  return text;
}

std::optional<std::string> DecodeBase64(std::string_view text) {
  constexpr std::array<uint8_t, 256> kValues = DigitValues();
  if (text.size() % 4 != 0) return std::nullopt;
  size_t padding = text.ends_with("==") ? 2 : text.ends_with("=") ? 1 : 0;
  std::string decoded;
  decoded.reserve(text.size() / 4 * 3);
  uint32_t bits = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    bool padded = at >= text.size() - padding;
    uint8_t digit = padded ? 0 : kValues[static_cast<uint8_t>(text[at])];
    if (digit == kNoDigit) return std::nullopt;
    bits = bits << 6 | digit;
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
