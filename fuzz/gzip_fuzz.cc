// Decompresses arbitrary bytes. They must not crash the reader, and accepted
// texts must survive compression.
#include "support/gzip.h"

#include "fuzz/input.h"
#include "support/check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  auto text = mete::Gunzip(fuzz::ToText(bytes, size));
  if (!text.ok()) return 0;
  auto packed = mete::Gzip(*text);
  CHECK(packed.ok() && mete::IsGzip(*packed));
  CHECK(*mete::Gunzip(*packed) == *text);
  return 0;
}
