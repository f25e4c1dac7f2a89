// The nine applications of NeuRO as its random instances draw them: memory,
// base latency, price and the range of the SLO.
#pragma once

#include <array>
#include <string_view>

#include "support/units.h"

namespace mete {

// How often an application is called, which decides how a request is drawn.
enum class RateClass { kLow, kHigh };

// One application. Memory, base latency, price and SLO range are NeuRO's
// constants.
struct NeuroApplication {
  std::string_view name;
  RateClass rate = RateClass::kLow;
  double memory_gb = 0;       // of one instance on a CPU
  double base_latency_s = 0;  // alone, without load
  double base_price = 0;
  double slo_low_s = 0;
  double slo_high_s = 0;
};

inline constexpr std::array<NeuroApplication, 9> kNeuroCatalogue = {{
    {"tclf-gcn", RateClass::kLow, 0.5, 0.04, 6, 0.5, 1},
    {"tclf-rf", RateClass::kHigh, 0.3, 0.01, 2, 0.015, 0.03},
    {"tstr-lstm", RateClass::kHigh, 1.0, 0.1, 5, 0.5, 1},
    {"kalman-gru", RateClass::kHigh, 0.3, 0.004, 3, 0.005, 0.01},
    {"iclf-mnet", RateClass::kLow, 0.8, 0.05, 10, 1, 5},
    {"text-bert", RateClass::kLow, 0.6, 0.1, 9, 1, 5},
    {"iclf-efnet", RateClass::kLow, 1.3, 0.1, 11, 1, 5},
    {"text-tbert", RateClass::kLow, 0.7, 0.01, 7, 1, 5},
    {"iclf-mvit", RateClass::kLow, 0.5, 0.05, 12, 1, 5},
}};

}  // namespace mete
