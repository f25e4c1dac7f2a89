// The allowed ranges of an application's numbers. Each rule is defined once,
// here: flags and session files check each value when it is parsed, and
// CheckBounds checks the complete spec before anything runs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "measure/application_spec.h"
#include "support/result.h"
#include "support/units.h"

namespace mete {

inline constexpr uint64_t kMostRepeats = 10'000;
inline constexpr int kMostThreads = 1024;
inline constexpr double kSlowestSampling = 1;  // samples per second
inline constexpr double kFastestSampling = 1000;

// Checks all durations, counts and limits. Fails with kInvalidInput and the
// name of the first that is out of bounds. NaN is out of bounds.
Status CheckBounds(const ApplicationSpec& spec);

// A positive duration.
Result<Seconds> ParseTimeout(const std::string& text);
// A duration that may be 0.
Result<Seconds> ParseGrace(const std::string& text);
// Limits. The first three must be positive.
Result<Bytes> ParseMemoryLimit(const std::string& text);
Result<Millicores> ParseCpuLimit(const std::string& text);
Result<uint64_t> ParseProcesses(const std::string& text);
// Cores such as "0-2,4". Returns the text.
Result<std::string> ParseCpuset(const std::string& text);
// "10Hz", "10" -> 10.
Result<double> ParseHertz(std::string_view text);
Result<uint64_t> ParseRepeat(const std::string& text);
Result<int> ParseThreads(const std::string& text);

}  // namespace mete
