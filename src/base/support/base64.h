// Base64 as in RFC 4648, with padding.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace mete {

std::string EncodeBase64(std::string_view bytes);

// Absent when the text is not valid base64.
std::optional<std::string> DecodeBase64(std::string_view text);

}  // namespace mete
