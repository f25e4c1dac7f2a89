// Parses numbers in the text of /proc and /sys. Anything that is not a number
// is absent, never 0.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "support/units.h"

namespace mete {

// Splits at runs of blanks, tabs and line ends. The results are views into
// `text`.
std::vector<std::string_view> SplitFields(std::string_view text);

// The whole text as a non-negative number: "42", but not "42%".
std::optional<uint64_t> WholeNumber(std::string_view text);
// The number that the text begins with: 42 for "42%".
std::optional<int64_t> LeadingNumber(std::string_view text);
// The whole text as a finite number: "0.25", "-256".
std::optional<double> Decimal(std::string_view text);
// NumberAfter("cpu12", "cpu") is 12; absent for "cpu" and "cpufreq".
std::optional<uint64_t> NumberAfter(std::string_view text,
                                    std::string_view prefix);

// The number after `key`: "pgfault 1037850", or with ':' as separator
// "read_bytes: 4096".
std::optional<uint64_t> FindCounter(std::string_view text, std::string_view key,
                                    char separator = ' ');
// Reads several such counters of a long text in one pass. A value whose key is
// missing stays as it is.
struct RequestedCounter {
  std::string_view key;
  std::optional<uint64_t>* value;
};
void ReadCounters(std::string_view text,
                  std::span<const RequestedCounter> requested);
// The first line as a non-negative number.
std::optional<uint64_t> FirstNumber(std::string_view text);
// A line of /proc/meminfo or /proc/PID/status: "VmRSS:    1700 kB".
std::optional<Bytes> FindKilobytes(std::string_view text, std::string_view key);
std::optional<Bytes> ToBytes(std::optional<uint64_t> count);

// The unit USER_HZ in which the kernel reports CPU time: 100 per second on
// every processor this program is built for, regardless of the kernel's HZ.
constexpr std::chrono::milliseconds kClockTick{10};

// `count` units of time; absent on overflow.
std::optional<std::chrono::nanoseconds> ToTime(std::optional<uint64_t> count,
                                               std::chrono::nanoseconds unit);

}  // namespace mete
