// Synthetic contention for the scenarios. The latencies of the applications
// alone are NeuRO's base latencies. Everything else is INVENTED: cores, memory
// bandwidth, threads, memory traffic and all coefficients of slowdown. Results
// with these tables say something about methods of placement, not about real
// servers.
#pragma once

#include <string_view>

#include "place/cost_table.h"

namespace mete {

// The part of invented servers that costs depend on.
struct SyntheticServer {
  std::string_view name;
  double cores = 0;
  double bandwidth = 0;  // GB/s of memory
  double slowness = 1;   // of the base latencies
};
inline constexpr SyntheticServer kWeakServer = {"weak", 16, 20, 1.6};
inline constexpr SyntheticServer kStrongServer = {"strong", 24, 40, 1};

// The table for the nine applications. Two pressures: busy cores and memory
// traffic, each as a share of what the server has.
CostTable MakeSyntheticCosts(const SyntheticServer& server);

}  // namespace mete
