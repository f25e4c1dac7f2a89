// Quantities with their unit in the type, parsed and formatted as people write
// them: 512Mi, 1.5 or 1500m CPUs, 30s, 2%.
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "support/result.h"

namespace mete {

// An amount of memory or storage.
struct Bytes {
  uint64_t count = 0;
  auto operator<=>(const Bytes&) const = default;
};
constexpr Bytes Kibibytes(uint64_t n) { return {n << 10}; }
inline constexpr uint64_t kMebi = uint64_t{1} << 20;
constexpr Bytes Mebibytes(uint64_t n) { return {n * kMebi}; }
constexpr Bytes Gibibytes(uint64_t n) { return {n << 30}; }

// Thousandths of one CPU core.
struct Millicores {
  int64_t count = 0;
  auto operator<=>(const Millicores&) const = default;
};

// An amount of energy, at the resolution of processor counters.
struct Microjoules {
  uint64_t count = 0;
  auto operator<=>(const Microjoules&) const = default;
};

// An amount of energy, measured or computed.
struct Joules {
  double count = 0;
  auto operator<=>(const Joules&) const = default;
};

// Power: energy per time.
struct Watts {
  double count = 0;
  auto operator<=>(const Watts&) const = default;
};

// The duration type used throughout the program.
using Seconds = std::chrono::duration<double>;

// "512Mi", "1.5G", "4096" (bytes). Ki Mi Gi Ti are powers of 1024; k M G T of
// 1000. Fails with kInvalidInput and the nearest valid spelling.
Result<Bytes> ParseBytes(std::string_view text);

// "1.5" CPUs or "1500m".
Result<Millicores> ParseMillicores(std::string_view text);

// "250ms", "30s", "5m", "1h30m". A number without a unit is rejected with "30s"
// as a hint.
Result<Seconds> ParseDuration(std::string_view text);

// "2%" or "0.02" -> 0.02.
Result<double> ParseRatio(std::string_view text);

// A non-negative whole number: "100".
Result<uint64_t> ParseCount(std::string_view text);

// The largest fitting unit of Ki Mi Gi with at most one decimal: "143 MiB".
std::string FormatBytes(Bytes bytes);
// The same for a computed value such as a mean.
std::string FormatByteCount(double bytes);
// Three significant digits and a fitting unit: "8.71 ms", "1.20 s".
std::string FormatSeconds(double seconds);
inline std::string FormatSeconds(Seconds time) {
  return FormatSeconds(time.count());
}
// Thousands grouped: "11,689,512".
std::string FormatCount(uint64_t count);
// A count and its noun: "1 run", "1,200 runs". `plural` is only needed when it
// is not the singular and an "s": Counted(2, "process", "processes").
std::string Counted(uint64_t count, std::string_view singular,
                    std::string_view plural = "");
// "1 CPU", "0.5 CPUs".
std::string FormatCpus(double cpus);
// Three significant digits and k M G T: "1.82 G".
std::string FormatScaled(double value);

}  // namespace mete
