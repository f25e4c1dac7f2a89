// Feeds arbitrary bytes to the ONNX reader, and accepted networks to describe.
// Neither may crash, hang or allocate without bound.
#include <cstddef>
#include <cstdint>
#include <span>

#include "adapters/onnx/graph_reader.h"
#include "describe/characteristics_json.h"
#include "describe/characteristics_table.h"
#include "describe/describe.h"
#include "support/json.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  auto network =
      mete::OnnxGraphReader::ReadBytes(std::as_bytes(std::span(bytes, size)));
  if (!network.ok()) return 0;
  auto described = mete::Describe(*network, {.batch = 2, .layers = true});
  if (!described.ok()) return 0;
  mete::DumpJson(mete::ToJson(*described));
  mete::MetricsForPeople(*described).Text();
  mete::LayersForPeople(*described).Text();
  return 0;
}
