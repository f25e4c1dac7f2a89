#include "measure/application_bounds.h"

#include <fmt/format.h>

#include <charconv>
#include <limits>

#include "support/core_list.h"

namespace mete {
namespace {

// Small enough that nanoseconds do not overflow.
constexpr Seconds kLongestTime{365.0 * 24 * 3600};
constexpr uint64_t kMostMemory = std::numeric_limits<int64_t>::max();
constexpr int64_t kMostMillicores = 1'000'000'000;  // a million cores
constexpr uint64_t kMostProcesses = std::numeric_limits<uint32_t>::max();

// The conditions are written so that NaN fails too.
Status CheckTimeout(Seconds timeout) {
  if (!(timeout.count() > 0)) {
    return InvalidInput("must be positive");
  }
  if (!(timeout <= kLongestTime)) {
    return InvalidInput("is longer than 365 days");
  }
  return {};
}

Status CheckGrace(Seconds grace) {
  if (grace.count() >= 0 && grace <= kLongestTime) return {};
  return InvalidInput("must be between 0 s and 365 days");
}

bool CanSample(double hertz) {
  return hertz >= kSlowestSampling && hertz <= kFastestSampling;
}

template <typename Number>
Status CheckCount(Number count, uint64_t most) {
  if (count >= 1 && static_cast<uint64_t>(count) <= most) return {};
  return InvalidInput(fmt::format("{} is not between 1 and {}", count, most));
}

// Checks a limit that is written with a unit.
template <typename Number>
Status CheckAmount(Number amount, Number most) {
  if (amount <= 0) return InvalidInput("must be positive");
  if (amount > most) return InvalidInput("is more than any machine has");
  return {};
}

Status CheckLimits(const Limits& limits) {
  auto named = [](const char* name, const Status& checked) -> Status {
    if (checked.ok()) return {};
    return InvalidInput(
        fmt::format("the {} {}", name, checked.error().message()));
  };
  if (limits.memory) {
    RETURN_IF_ERROR(
        named("memory limit", CheckAmount(limits.memory->count, kMostMemory)));
  }
  if (limits.cpus) {
    RETURN_IF_ERROR(
        named("CPU limit", CheckAmount(limits.cpus->count, kMostMillicores)));
  }
  if (limits.processes) {
    RETURN_IF_ERROR(
        named("process limit", CheckAmount(*limits.processes, kMostProcesses)));
  }
  if (limits.cpuset) {
    RETURN_IF_ERROR(ParseCpuset(*limits.cpuset).While("cpuset"));
  }
  if (limits.pin) {
    RETURN_IF_ERROR(ParseCpuset(*limits.pin).While("pin"));
    if (limits.cpuset) {
      return InvalidInput("pin and cpuset cannot be given together");
    }
  }
  if (limits.threads) {
    RETURN_IF_ERROR(CheckCount(*limits.threads, kMostThreads).While("threads"));
  }
  return {};
}

Result<uint64_t> ParseBoundedCount(const std::string& text, uint64_t most) {
  ASSIGN_OR_RETURN(uint64_t count, ParseCount(text));
  RETURN_IF_ERROR(CheckCount(count, most));
  return count;
}

}  // namespace

Status CheckBounds(const ApplicationSpec& spec) {
  if (spec.timeout) {
    Status checked = CheckTimeout(*spec.timeout);
    if (!checked.ok()) {
      return InvalidInput("the timeout " + checked.error().message());
    }
  }
  if (Status checked = CheckGrace(spec.grace); !checked.ok()) {
    return InvalidInput("the grace period " + checked.error().message());
  }
  RETURN_IF_ERROR(CheckCount(spec.repeat, kMostRepeats).While("repeat"));
  if (!CanSample(spec.sample_hertz)) {
    return InvalidInput(
        fmt::format("{} samples per second is not between {} and {}",
                    spec.sample_hertz, kSlowestSampling, kFastestSampling));
  }
  return CheckLimits(spec.limits);
}

Result<Seconds> ParseTimeout(const std::string& text) {
  ASSIGN_OR_RETURN(Seconds timeout, ParseDuration(text));
  RETURN_IF_ERROR(CheckTimeout(timeout));
  return timeout;
}

Result<Seconds> ParseGrace(const std::string& text) {
  ASSIGN_OR_RETURN(Seconds grace, ParseDuration(text));
  RETURN_IF_ERROR(CheckGrace(grace));
  return grace;
}

Result<Bytes> ParseMemoryLimit(const std::string& text) {
  ASSIGN_OR_RETURN(Bytes memory, ParseBytes(text));
  RETURN_IF_ERROR(CheckAmount(memory.count, kMostMemory));
  // Nothing runs in 64 bytes: who writes 64 means another unit.
  bool plain = text.find_first_not_of("0123456789.") == std::string::npos;
  if (plain && memory < Mebibytes(1)) {
    return InvalidInput(
        fmt::format("'{}' has no unit; did you mean {}Mi? Write {}B for bytes",
                    text, text, text));
  }
  return memory;
}

Result<Millicores> ParseCpuLimit(const std::string& text) {
  ASSIGN_OR_RETURN(Millicores cpus, ParseMillicores(text));
  RETURN_IF_ERROR(CheckAmount(cpus.count, kMostMillicores));
  return cpus;
}

Result<uint64_t> ParseProcesses(const std::string& text) {
  ASSIGN_OR_RETURN(uint64_t processes, ParseCount(text));
  RETURN_IF_ERROR(CheckAmount(processes, kMostProcesses));
  return processes;
}

Result<std::string> ParseCpuset(const std::string& text) {
  RETURN_IF_ERROR(ParseCoreList(text));
  return text;
}

Result<double> ParseHertz(std::string_view text) {
  std::string_view digits = text;
  for (std::string_view unit : {"Hz", "hz", "HZ"}) {
    if (digits.ends_with(unit)) digits.remove_suffix(unit.size());
  }
  double hertz = 0;
  auto [rest, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), hertz);
  bool whole = error == std::errc() && rest == digits.data() + digits.size();
  if (!whole || !CanSample(hertz)) {
    return InvalidInput(
        fmt::format("'{}' is not a rate between {} and {} Hz, such as 10Hz",
                    text, kSlowestSampling, kFastestSampling));
  }
  return hertz;
}

Result<uint64_t> ParseRepeat(const std::string& text) {
  return ParseBoundedCount(text, kMostRepeats);
}

Result<int> ParseThreads(const std::string& text) {
  ASSIGN_OR_RETURN(uint64_t threads, ParseBoundedCount(text, kMostThreads));
  return static_cast<int>(threads);
}

}  // namespace mete
