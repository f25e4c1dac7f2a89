// Decodes arbitrary text as base64. Any bytes must survive encoding, and
// decoded bytes must be encoded to a text of the same meaning and length.
#include "support/base64.h"

#include "fuzz/input.h"
#include "support/check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  const std::string_view text = fuzz::ToText(bytes, size);
  CHECK(mete::DecodeBase64(mete::EncodeBase64(text)) == text);
  if (auto decoded = mete::DecodeBase64(text)) {
    const std::string encoded = mete::EncodeBase64(*decoded);
    CHECK(encoded.size() == text.size());
    CHECK(mete::DecodeBase64(encoded) == decoded);
  }
  return 0;
}
