#include "domain/device.h"

#include <algorithm>

namespace mete {

double UsableCpus(const Device& device) {
  if (device.emulation && device.emulation->limits.cpus) {
    return static_cast<double>(device.emulation->limits.cpus->count) / 1000;
  }
  return device.facts.cores;
}

int EngineThreadsFor(const Device& device) {
  if (device.emulation && device.emulation->limits.threads) {
    return *device.emulation->limits.threads;
  }
  return std::max(1, device.facts.cores);
}

}  // namespace mete
