// How often the device predicted to be fastest is the one that was.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "domain/latency_row.h"
#include "predict/train_latency.h"

namespace mete {

// A case is a network and, for every device it was held out on, one of the
// loads it was measured under, as a cluster is found: each device busy in its
// own way. Up to `draws` such cases are drawn for each network; those whose
// two best measured times differ by no more than `margin` are left out, for
// there either choice is good.
struct FastestDeviceRequest {
  double margin = 0.10;
  size_t draws = 100;
  uint64_t seed = 0;
};
FastestDevice JudgeFastest(std::span<const LatencyRow> rows,
                           const HeldOut& held,
                           const FastestDeviceRequest& request);

}  // namespace mete
