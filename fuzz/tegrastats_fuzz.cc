// Parses arbitrary lines as the output of tegrastats and adds them to a sample.
// Nothing may crash, and all numbers of a sample must be finite.
#include <cmath>

#include "adapters/tegrastats/tegrastats_source.h"
#include "fuzz/input.h"
#include "support/check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  std::string_view rest = fuzz::ToText(bytes, size);
  mete::MachineSample sample;
  while (!rest.empty()) {
    auto line = mete::ParseTegrastats(fuzz::TakeLine(rest));
    if (!line.ok()) continue;
    for (const auto& core : line->cores) {
      CHECK(!core || std::isfinite(core->load));
    }
    for (const auto& sensor : line->temperatures) {
      CHECK(std::isfinite(sensor.celsius));
    }
    mete::AddTegrastats(*line, sample);
  }
  return 0;
}
