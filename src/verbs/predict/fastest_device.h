// Counts how often the device predicted to be fastest really was the fastest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "domain/latency_row.h"
#include "predict/train_latency.h"

namespace mete {

// Parameters of JudgeFastest.
//
// A case is a network and, for every device it was held out on, one of the
// loads it was measured under, because the devices of a cluster are not equally
// busy. Up to `draws` cases are drawn for each network. Cases whose two best
// measured times differ by no more than `margin` are left out, since either
// choice is good there.
struct FastestDeviceRequest {
  double margin = 0.10;
  size_t draws = 100;
  uint64_t seed = 0;
};
FastestDevice JudgeFastest(std::span<const LatencyRow> rows,
                           const HeldOut& held,
                           const FastestDeviceRequest& request);

}  // namespace mete
