#include "collect/collected.h"

#include <fmt/format.h>

#include <cmath>

#include "support/parse_number.h"
#include "support/text.h"

namespace mete {
namespace {

constexpr int kEveryLoad = -1;

// Rounds to per mille, so that loads entered as the same number compare equal.
int PerMille(double load) { return static_cast<int>(std::lround(load * 1000)); }

bool FailedForGood(OutcomeKind kind) {
  return kind == OutcomeKind::kOutOfMemory || kind == OutcomeKind::kTimedOut ||
         kind == OutcomeKind::kRejected;
}

// The load that a run settles, in per mille. Absent: it settles nothing.
std::optional<int> SettledLoad(const Run& run) {
  if (!run.load || run.workload.kind != WorkloadKind::kNetwork) return {};
  if (!run.workload.given_shapes.empty()) return {};
  if (FailedForGood(run.outcome.kind)) return kEveryLoad;
  if (run.outcome.kind != OutcomeKind::kCompleted) return {};
  return PerMille(run.load->asked);
}

// A file may be elsewhere on another machine.
std::string PortableName(const Workload& workload) {
  const bool generated = workload.source.starts_with("zoo:") ||
                         workload.source.starts_with("sample:");
  return generated ? workload.source : workload.sha256;
}

}  // namespace

Result<std::vector<SkippedRun>> ParseSkipped(const std::string& text) {
  const size_t at = text.rfind('@');
  if (at == std::string::npos || at == 0) {
    return InvalidInput("expected NETWORK@LOAD,LOAD, not '" + text + "'");
  }
  std::vector<SkippedRun> skipped;
  for (const std::string& load : SplitAt(text.substr(at + 1), ',')) {
    SkippedRun run{.network = text.substr(0, at), .load = std::nullopt};
    if (load != "all") {
      auto percent = ParseNumber<double>(load);
      if (!percent) return InvalidInput("'" + load + "' is not a load");
      run.load = *percent / 100;
    }
    skipped.push_back(std::move(run));
  }
  return skipped;
}

std::vector<std::string> SkippedTexts(const std::vector<Run>& runs,
                                      int64_t batch) {
  std::map<std::string, std::string> loads;
  for (const Run& run : runs) {
    const std::optional<int> load = SettledLoad(run);
    if (!load || run.workload.batch != batch) continue;
    std::string& list = loads[PortableName(run.workload)];
    if (!list.empty()) list += ',';
    list += *load == kEveryLoad ? "all" : fmt::format("{}", *load / 10.0);
  }
  std::vector<std::string> texts;
  for (const auto& [network, list] : loads) {
    texts.push_back(network + "@" + list);
  }
  return texts;
}

Result<Collected> Collected::Read(RunStore& store,
                                  const std::vector<Device>& devices) {
  Collected collected;
  for (const Device& device : devices) {
    ASSIGN_OR_RETURN(auto runs, store.ListRuns({.device = device.id}));
    for (const Run& run : runs) collected.Add(run);
  }
  return collected;
}

void Collected::Add(const Run& run) {
  const std::optional<int> load = SettledLoad(run);
  if (!load) return;
  const Workload& workload = run.workload;
  for (const std::string& network : {workload.sha256, workload.source}) {
    ++done_[{network, workload.batch, run.device_id, *load}];
  }
}

void Collected::AddSkipped(const std::string& device_id, int64_t batch,
                           const SkippedRun& skipped) {
  const int load = skipped.load ? PerMille(*skipped.load) : kEveryLoad;
  ++done_[{skipped.network, batch, device_id, load}];
}

bool Collected::Has(const Combination& combination, size_t times) const {
  auto count = [&](int load) {
    auto found = done_.find(
        {combination.network, combination.batch, combination.device_id, load});
    return found == done_.end() ? 0 : found->second;
  };
  return count(kEveryLoad) > 0 || count(PerMille(combination.load)) >= times;
}

}  // namespace mete
