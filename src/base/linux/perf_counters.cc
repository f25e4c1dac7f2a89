#include "linux/perf_counters.h"

#include <fmt/format.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace mete {
namespace {

std::optional<uint64_t> ReadCount(const std::optional<PerfCounter>& counter) {
  return counter ? counter->Read() : std::nullopt;
}

Error Refusal(const SystemRoot& root, const Error& error) {
  if (error.code() == ErrorCode::kNotFound ||
      error.code() == ErrorCode::kUnsupported) {
    return Unsupported(
        "performance counters: this processor or virtual machine has none");
  }
  std::string why = error.message();
  if (auto level = root.Number("/proc/sys/kernel/perf_event_paranoid")) {
    why += fmt::format(" (perf_event_paranoid is {})", *level);
  }
  return Error(error.code(), "performance counters: " + why);
}

}  // namespace

std::optional<uint64_t> ScaledCount(const PerfReading& reading) {
  if (reading.running == reading.enabled) return reading.count;
  if (reading.running == 0) return std::nullopt;
  return static_cast<uint64_t>(static_cast<double>(reading.count) *
                               (static_cast<double>(reading.enabled) /
                                static_cast<double>(reading.running)));
}

Result<PerfCounter> PerfCounter::Open(const PerfEvent& event, pid_t process) {
  perf_event_attr attributes{};
  attributes.type = event.type;
  attributes.size = sizeof(attributes);
  attributes.config = event.config;
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  attributes.inherit = 1;
  // `process` itself never calls exec; its children do.
  attributes.disabled = 1;
  attributes.enable_on_exec = 1;
  attributes.read_format =
      PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  long file = syscall(SYS_perf_event_open, &attributes, process, -1, -1,
                      PERF_FLAG_FD_CLOEXEC);
  if (file >= 0) return PerfCounter(Descriptor(static_cast<int>(file)));
  if (errno == EACCES || errno == EPERM) {
    return Error(ErrorCode::kPermissionDenied, "perf_event_open refused");
  }
  if (errno == EOPNOTSUPP || errno == ENODEV || errno == ENOSYS) {
    return Unsupported("perf_event_open: no such event");
  }
  return SystemError("perf_event_open", errno);
}

std::optional<uint64_t> PerfCounter::Read() const {
  PerfReading reading;  // in the order of the read format
  ssize_t got = read(file_.number(), &reading, sizeof(reading));
  if (got != static_cast<ssize_t>(sizeof(reading))) return std::nullopt;
  return ScaledCount(reading);
}

Result<PerfCounters> PerfCounters::Open(const SystemRoot& root, pid_t process) {
  PerfCounters counters;
  Status refused;
  bool any = false;
  auto open = [&](uint64_t config) -> std::optional<PerfCounter> {
    auto opened = PerfCounter::Open({PERF_TYPE_HARDWARE, config}, process);
    if (!opened.ok()) {
      refused = opened.error();
      return std::nullopt;
    }
    any = true;
    return *std::move(opened);
  };
  counters.cycles_ = open(PERF_COUNT_HW_CPU_CYCLES);
  counters.instructions_ = open(PERF_COUNT_HW_INSTRUCTIONS);
  counters.cache_references_ = open(PERF_COUNT_HW_CACHE_REFERENCES);
  counters.cache_misses_ = open(PERF_COUNT_HW_CACHE_MISSES);
  counters.branch_misses_ = open(PERF_COUNT_HW_BRANCH_MISSES);
  if (!any) return Refusal(root, refused.error());
  return counters;
}

HardwareCounts PerfCounters::Read() const {
  return {.cycles = ReadCount(cycles_),
          .instructions = ReadCount(instructions_),
          .cache_references = ReadCount(cache_references_),
          .cache_misses = ReadCount(cache_misses_),
          .branch_misses = ReadCount(branch_misses_)};
}

}  // namespace mete
