// Reads arbitrary text as the nodes and pods of a GPU cluster, separated by an
// empty line. What is accepted must be possible to simulate.
#include "fuzz/input.h"
#include "gpu_packing/published_policies.h"
#include "simulate/simulate_run.h"
#include "support/check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  const std::string_view text = fuzz::ToText(bytes, size);
  const size_t middle = text.find("\n\n");
  if (middle == std::string_view::npos) return 0;
  const auto trace = mete::ParseGpuTrace(
      {.nodes = text.substr(0, middle), .pods = text.substr(middle + 2)});
  if (!trace.ok()) {
    CHECK(!trace.error().message().empty());
    return 0;
  }
  CHECK(trace->GpuMilli() > 0 && trace->MostGpus() > 0);
  const auto policy =
      mete::FgdPolicy(mete::TypicalPods(mete::MixOf(trace->pods), 0.95));
  // A cluster of many GPUs and tiny pods takes long to fill.
  const double level = 2'000.0 / static_cast<double>(trace->GpuMilli());
  const auto levels = mete::SimulateRun(
      *trace, {.seed = 1, .levels = {level < 1 ? level : 1}}, *policy);
  CHECK(levels->back().allocated <= 1);
  return 0;
}
