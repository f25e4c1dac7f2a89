#include "wiring/machine/machine_sources.h"

#include "adapters/nvml/nvml_source.h"
#include "adapters/tegrastats/tegrastats_source.h"

namespace mete {

MachineSources OpenMachineSources(const std::string& nvml, const Clock& clock) {
  MachineSources sources;
  auto gpus = NvmlSource::Open(nvml, clock);
  if (gpus.ok()) {
    sources.present.push_back(*std::move(gpus));
  } else {
    sources.absent.push_back({"gpu", "GPU: " + gpus.error().message()});
  }
  auto jetson = TegrastatsSource::Open({}, clock);
  if (jetson.ok()) {
    sources.present.push_back(*std::move(jetson));
  } else {
    sources.absent.push_back({"tegrastats", jetson.error().message()});
  }
  return sources;
}

}  // namespace mete
