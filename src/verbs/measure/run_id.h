// Creates run ids that are unique without coordination and sort by start time.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace mete {

// 80 random bits, drawn by the caller (std::random_device).
struct RunEntropy {
  uint16_t high = 0;
  uint64_t low = 0;
};

// A ULID (github.com/ulid/spec): 48 bits of milliseconds since 1970 and the 80
// random bits, as 26 characters of Crockford's base 32. Sorting the text sorts
// by time.
std::string MakeRunId(std::chrono::system_clock::time_point started,
                      const RunEntropy& entropy);

}  // namespace mete
