#include "linux/host_usage.h"

#include <array>

#include "linux/numbers.h"
#include "linux/scan.h"

namespace mete {
namespace {

// Absent when one of the two is missing or they contradict each other.
std::optional<Bytes> Difference(std::optional<Bytes> whole,
                                std::optional<Bytes> part) {
  if (!whole || !part || *part > *whole) return std::nullopt;
  return Bytes{whole->count - part->count};
}

// proc(5): "cpu0 user nice system idle iowait irq softirq steal guest
// guest_nice"; the guests are also part of user and nice.
std::optional<CoreTime> ParseCoreTime(std::string_view line) {
  std::array<std::string_view, 9> words;
  if (FirstWords(line, words) < words.size()) return std::nullopt;
  auto core = NumberAfter(words[0], "cpu");
  if (!core) return std::nullopt;
  std::array<std::chrono::nanoseconds, 8> times;
  // Up to three are added below. No machine runs for the 97 years of this.
  constexpr auto kLongest = std::chrono::nanoseconds::max() / 3;
  for (size_t i = 0; i < times.size(); ++i) {
    auto time = ToTime(WholeNumber(words[i + 1]), kClockTick);
    if (!time || *time > kLongest) return std::nullopt;
    times[i] = *time;
  }
  return CoreTime{.core = static_cast<int>(*core),
                  .user = times[0] + times[1],
                  .system = times[2] + times[5] + times[6],
                  .idle = times[3],
                  .waiting = times[4],
                  .stolen = times[7]};
}

}  // namespace

std::vector<CoreTime> ParseCoreTimes(std::string_view text) {
  std::vector<CoreTime> cores;
  while (auto line = TakeLine(text)) {
    // The cores come first; the list of interrupts below is long.
    if (!line->starts_with("cpu")) break;
    if (auto core = ParseCoreTime(*line)) cores.push_back(*core);
  }
  return cores;
}

HostMemory ParseHostMemory(std::string_view text) {
  auto total = FindKilobytes(text, "MemTotal");
  auto swap = FindKilobytes(text, "SwapTotal");
  return {.total = total,
          .used = Difference(total, FindKilobytes(text, "MemAvailable")),
          .swap_total = swap,
          .swap_used = Difference(swap, FindKilobytes(text, "SwapFree"))};
}

}  // namespace mete
