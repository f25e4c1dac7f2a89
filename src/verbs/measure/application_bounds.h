// What the numbers of an application may be. Every rule stands here once: flags
// and session files check a value where it is written, and CheckBounds checks
// the whole before anything runs, wherever it comes from.
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
inline constexpr double kSlowestSampling = 1;  // samples a second
inline constexpr double kFastestSampling = 1000;

// All times, counts and limits of the spec. Fails with kInvalidInput and the
// name of the first that is out of bounds; what is no number at all is too.
Status CheckBounds(const ApplicationSpec& spec);

// A duration that can be a time-out.
Result<Seconds> ParseTimeout(const std::string& text);
// A duration that can be a grace period: none at all, too.
Result<Seconds> ParseGrace(const std::string& text);
// "10Hz", "10" -> 10.
Result<double> ParseHertz(std::string_view text);
Result<uint64_t> ParseRepeat(const std::string& text);
Result<int> ParseThreads(const std::string& text);
Result<uint64_t> ParseProcesses(const std::string& text);

}  // namespace mete
