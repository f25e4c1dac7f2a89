#include "measure/speed_history.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "support/text.h"
#include "support/units.h"

namespace mete {
namespace {

// Smaller differences between runs are usual (docs/internals/statistics.md).
constexpr double kNotable = 0.10;
// How many of the newest runs of a network to compare with.
constexpr size_t kComparedRuns = 100;

Result<std::vector<Run>> ReadEarlier(const Run& now, RunStore& runs) {
  return runs.ListRuns({.workload = now.workload.name,
                        .device = now.device_id,
                        .limit = kComparedRuns});
}

bool HasMedianInterval(const Run& run) {
  return run.network() && run.network()->latency &&
         run.network()->latency->p50_low && run.network()->latency->p50_high;
}

// Limits that change the speed, applied or not.
bool HaveSameLimits(const Limits& a, const Limits& b) {
  return a.memory == b.memory && a.cpus == b.cpus && a.threads == b.threads &&
         a.cpuset == b.cpuset && a.pin == b.pin;
}

bool IsComparable(const Run& now, const Run& run) {
  const Workload& a = now.workload;
  const Workload& b = run.workload;
  if (run.id == now.id || !HasMedianInterval(run)) return false;
  // Runs of `mete collect` under a load are slower on purpose.
  bool loaded = run.load && run.load->asked > 0;
  return !loaded && run.outcome.kind == OutcomeKind::kCompleted &&
         run.verdict().kind == VerdictKind::kStable &&
         run.device_id == now.device_id && !a.sha256.empty() &&
         a.sha256 == b.sha256 && a.batch == b.batch &&
         a.input_shapes == b.input_shapes && a.input_origin == b.input_origin &&
         run.engine.name == now.engine.name &&
         run.engine.version == now.engine.version &&
         run.network()->engine_options == now.network()->engine_options &&
         HaveSameLimits(run.limits, now.limits);
}

bool Disagree(const LatencySummary& a, const LatencySummary& b) {
  bool apart = *a.p50_high < *b.p50_low || *b.p50_high < *a.p50_low;
  double ratio = a.p50 / b.p50;
  return apart && std::max(ratio, 1 / ratio) > 1 + kNotable;
}

}  // namespace

std::optional<std::string> CompareWithEarlier(const Run& now,
                                              const std::vector<Run>& earlier) {
  if (!HasMedianInterval(now)) return std::nullopt;
  const LatencySummary& latency = *now.network()->latency;
  uint64_t comparable = 0;
  std::vector<Seconds> medians;
  for (const Run& run : earlier) {
    if (!IsComparable(now, run)) continue;
    ++comparable;
    const LatencySummary& other = *run.network()->latency;
    if (Disagree(latency, other)) medians.push_back(other.p50);
  }
  if (medians.empty()) return std::nullopt;
  auto [least, most] = std::ranges::minmax_element(medians);
  std::string range = FormatSeconds(*least);
  if (FormatSeconds(*most) != range) range += " to " + FormatSeconds(*most);
  std::string count = Counted(medians.size(), "earlier run");
  if (medians.size() < comparable) {
    count = fmt::format("{} of {} earlier runs", medians.size(), comparable);
  }
  return fmt::format(
      "{} measured {}; this one {}: the machine's speed may have changed",
      count, range, FormatSeconds(latency.p50));
}

std::optional<std::string> CompareWithStored(const Run& now, RunStore& runs) {
  auto earlier = ReadEarlier(now, runs);
  // A store that cannot be read is reported when the run is stored.
  if (!earlier.ok()) return std::nullopt;
  return CompareWithEarlier(now, *earlier);
}

void NoteEarlierSpeed(RunStore& runs,
                      std::chrono::system_clock::time_point since, Run& run) {
  if (!HasMedianInterval(run)) return;
  auto earlier = ReadEarlier(run, runs);
  if (!earlier.ok()) return;
  std::erase_if(*earlier,
                [&](const Run& one) { return one.started_at >= since; });
  if (auto note = CompareWithEarlier(run, *earlier)) {
    run.network()->notes.push_back(*note);
  }
}

}  // namespace mete
