// The random part of a new run's id, drawn from the system.
#pragma once

#include <random>

#include "measure/run_id.h"

namespace mete {

inline RunEntropy DrawRunEntropy() {
  std::random_device device;
  uint64_t low = (uint64_t{device()} << 32) | device();
  return {.high = static_cast<uint16_t>(device()), .low = low};
}

}  // namespace mete
