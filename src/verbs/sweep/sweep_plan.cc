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

// A flag with a range, and how its values are printed and written.
struct RangeFlag {
  const char* name;
  std::string (*format)(uint64_t);
  std::string (*argument)(uint64_t);
};

// "400Mi": as a user writes it.
std::string MemoryArgument(uint64_t bytes) {
  if (bytes % kMebi == 0) return fmt::format("{}Mi", bytes / kMebi);
  if (bytes % 1024 == 0) return fmt::format("{}Ki", bytes / 1024);
  return std::to_string(bytes);
}

std::string CpusArgument(uint64_t millicores) {
  return fmt::format("{:g}", static_cast<double>(millicores) / 1000);
}

constexpr RangeFlag kMemoryFlag{"--memory", MemoryText, MemoryArgument};
constexpr RangeFlag kCpusFlag{"--cpus", CpusText, CpusArgument};

Status CheckRange(const LimitRange& range, uint64_t least,
                  const RangeFlag& flag) {
  if (range.to > range.from) {
    return InvalidInput(
        fmt::format("{}: FROM must be larger than TO: write {}:{}", flag.name,
                    flag.argument(range.to), flag.argument(range.from)));
  }
  if (range.to < least) {
    return InvalidInput(
        fmt::format("{}: the minimum is {}", flag.name, flag.format(least)));
  }
  return {};
}

}  // namespace

uint64_t UsualRepeat(const SweepPlan& plan, bool network) {
  return network && plan.cpus && !plan.memory ? 2 : 1;
}

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
    RETURN_IF_ERROR(CheckRange(*plan.memory, kLeastMemory, kMemoryFlag));
  }
  if (plan.cpus) {
    RETURN_IF_ERROR(CheckRange(*plan.cpus, kLeastMillicores, kCpusFlag));
  }
  return {};
}

}  // namespace mete
