// Parses arbitrary bytes as a NumPy file. An accepted array must have exactly
// the bytes of its shape.
#include "measure/npy.h"

#include "fuzz/input.h"
#include "support/check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  auto array = mete::ParseNpy(fuzz::ToText(bytes, size));
  if (!array.ok()) return 0;
  auto expected = mete::ByteCount(array->type, mete::KnownShape(array->sizes));
  CHECK(expected && *expected == array->bytes.size());
  CHECK(array->bytes.size() <= size);
  return 0;
}
