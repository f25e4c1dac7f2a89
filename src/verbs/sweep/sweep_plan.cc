#include "sweep/sweep_plan.h"

#include <fmt/format.h>

#include "sweep/sweep_text.h"

namespace mete {
namespace {

constexpr uint64_t kCpuUnit = 10;        // millicores; linear
constexpr uint64_t kCpuResolution = 50;  // bisecting

// A tenth of the range, rounded up to whole units.
uint64_t LinearStep(const LimitRange& range, uint64_t unit) {
  if (range.from <= range.to) return unit;
  uint64_t tenth = (range.from - range.to + 9) / 10;
  return (tenth + unit - 1) / unit * unit;
}

Status CheckRange(const LimitRange& range, uint64_t least, const char* flag,
                  std::string (*format)(uint64_t)) {
  if (range.to > range.from) {
    return InvalidInput(fmt::format("{}: a sweep goes down, from {} to {}",
                                    flag, format(range.to),
                                    format(range.from)));
  }
  if (range.to < least) {
    return InvalidInput(
        fmt::format("{}: the minimum is {}", flag, format(least)));
  }
  return {};
}

}  // namespace

void FillSteps(Bytes memory_resolution, SweepPlan& plan) {
  const bool bisect = plan.search == SweepSearch::kBisect;
  if (plan.memory && plan.memory->step == 0) {
    plan.memory->step =
        bisect ? memory_resolution.count : LinearStep(*plan.memory, kMebi);
  }
  if (plan.cpus && plan.cpus->step == 0) {
    plan.cpus->step =
        bisect ? kCpuResolution : LinearStep(*plan.cpus, kCpuUnit);
  }
}

Status CheckPlan(const SweepPlan& plan) {
  if (!plan.memory && !plan.cpus) {
    return InvalidInput(
        "nothing to sweep: give --memory or --cpus a range such as 400Mi:40Mi");
  }
  if (plan.repeat == 0) return InvalidInput("--repeat must be at least 1");
  if (plan.confirm == 0) return InvalidInput("--confirm must be at least 1");
  if (plan.memory) {
    RETURN_IF_ERROR(
        CheckRange(*plan.memory, kLeastMemory, "--memory", MemoryText));
  }
  if (plan.cpus) {
    RETURN_IF_ERROR(
        CheckRange(*plan.cpus, kLeastMillicores, "--cpus", CpusText));
  }
  return {};
}

}  // namespace mete
