// Parses arbitrary text as the profile of ONNX Runtime. Nothing may crash, and
// times must be finite.
#include <cmath>
#include <sstream>

#include "adapters/onnxruntime/profile.h"
#include "fuzz/input.h"
#include "support/check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  std::istringstream stream{std::string(fuzz::ToText(bytes, size))};
  auto times = mete::ReadProfile(stream);
  if (!times.ok()) return 0;
  for (const mete::NodeTime& time : *times) {
    CHECK(std::isfinite(time.seconds) && std::isfinite(time.start.value_or(0)));
  }
  return 0;
}
