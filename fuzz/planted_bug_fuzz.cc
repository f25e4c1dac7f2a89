// A target with a bug, to check that the driver finds bugs and keeps the input.
#include "fuzz/input.h"
#include "support/check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  CHECK(fuzz::ToText(bytes, size).find("bug!") == std::string_view::npos);
  return 0;
}
