#include "compare/compare_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "domain/run_json.h"
#include "domain/run_words.h"
#include "measure/application_text.h"
#include "support/units.h"

namespace mete {
namespace {

using ComparedRuns = std::vector<Run>;

// The time that stands for a whole run. Fails when the run has none.
Result<double> TimeOfRun(const Run& run) {
  if (const NetworkDetails* network = run.network()) {
    if (network->latency) return network->latency->p50.count();
    return InvalidInput("run " + run.id + " has no latency to compare");
  }
  if (run.workload.kind == WorkloadKind::kService) {
    return InvalidInput("run " + run.id +
                        " observed something that was already running; it has "
                        "no duration of its own to compare");
  }
  const ApplicationDetails& application = *run.application();
  bool succeeded = run.outcome.kind == OutcomeKind::kCompleted &&
                   application.exit_code.value_or(0) == 0;
  if (!succeeded) {
    return InvalidInput(fmt::format(
        "run {} did not succeed: {}{}; only successful runs can be compared",
        run.id, ToWords(run.outcome.kind), DetailSuffix(run.outcome)));
  }
  if (!application.duration) {
    return InvalidInput("run " + run.id + " has no duration to compare");
  }
  return application.duration->count();
}

Result<ComparedRuns> ReadRuns(const std::vector<std::string>& ids,
                              RunStore& store, std::set<std::string>& seen) {
  ComparedRuns runs;
  for (const std::string& id : ids) {
    ASSIGN_OR_RETURN(Run run, store.FindRun(id));
    if (!seen.insert(run.id).second) {
      return InvalidInput("run " + run.id +
                          " is named twice; expected different runs");
    }
    runs.push_back(std::move(run));
  }
  return runs;
}

// "resnet18 on box", for all runs of a side.
std::string NameOfSide(const ComparedRuns& runs) {
  const Run& run = runs.front();
  const std::string& what = run.network() ? run.workload.name  // path is long
                                          : run.workload.source;
  return what + " on " + run.device_name;
}

Result<ComparedSide> MakeSide(const ComparedRuns& runs) {
  ComparedSide side{.what = NameOfSide(runs), .values = runs.size()};
  std::vector<double> times;
  for (const Run& run : runs) {
    ASSIGN_OR_RETURN(double seconds, TimeOfRun(run));
    times.push_back(seconds);
    side.run_ids.push_back(run.id);
  }
  side.seconds = *EstimateMedian(times);
  side.min = *std::ranges::min_element(times);
  side.max = *std::ranges::max_element(times);
  return side;
}

// A run of a network has many values: those of its inferences. Their interval
// was corrected for dependence when they were measured.
void UseInferences(const NetworkDetails& network, ComparedSide& side) {
  const LatencySummary& latency = *network.latency;
  side.values = network.iterations;
  side.min = latency.min.count();
  side.max = latency.max.count();
  side.seconds.interval.reset();
  if (latency.p50_low && latency.p50_high) {
    side.seconds.interval =
        Interval{latency.p50_low->count(), latency.p50_high->count()};
  }
}

std::string CpusText(const Limits& limits) {
  if (!limits.cpus) return "";
  return FormatCpus(static_cast<double>(limits.cpus->count) / 1e3);
}

// Everything but the workload that should be the same on both sides.
std::vector<std::pair<std::string, std::string>> ConditionsOf(const Run& run) {
  const Limits& limits = run.limits;
  return {
      {"device", run.device_name},
      {"memory limit", limits.memory ? FormatBytes(*limits.memory) : ""},
      {"CPU limit", CpusText(limits)},
      {"set of cores", limits.cpuset.value_or("")},
      {"set of pinned CPUs", limits.pin.value_or("")},
      {"number of threads",
       limits.threads ? std::to_string(*limits.threads) : ""},
      {"batch size", std::to_string(run.workload.batch)},
      {"input shape",
       fmt::format("{}", fmt::join(run.workload.input_shapes, " "))},
      {"engine", run.engine.name + " " + run.engine.version},
      {"clock governor", run.environment.governor.value_or("")},
  };
}

void NoteDifferences(const ComparedRuns& first, const ComparedRuns& second,
                     std::vector<std::string>& notes) {
  auto reference = ConditionsOf(first.front());
  std::set<std::string> noted;
  auto look = [&](const Run& run) {
    auto conditions = ConditionsOf(run);
    for (size_t i = 0; i < conditions.size(); ++i) {
      const auto& [name, value] = conditions[i];
      const std::string& expected = reference[i].second;
      if (value == expected || !noted.insert(name).second) continue;
      auto shown = [](const std::string& text) {
        return text.empty() ? std::string("none") : text;
      };
      notes.push_back(fmt::format("the {} differs: {} and {}", name,
                                  shown(expected), shown(value)));
    }
  };
  for (const Run& run : first) look(run);
  for (const Run& run : second) look(run);
}

// A machine that changes its speed between two blocks of runs looks like a
// difference between the workloads.
void NoteOrder(const ComparedRuns& first, const ComparedRuns& second,
               std::vector<std::string>& notes) {
  if (first.size() + second.size() < 3) return;
  auto [first_begin, first_end] =
      std::ranges::minmax(first, {}, &Run::started_at);
  auto [second_begin, second_end] =
      std::ranges::minmax(second, {}, &Run::started_at);
  const bool a_first = first_end.started_at < second_begin.started_at;
  const bool b_first = second_end.started_at < first_begin.started_at;
  if (!a_first && !b_first) return;
  notes.push_back(fmt::format(
      "all runs of {} were made before those of {}: the interval does not "
      "include a change of the machine's speed in between; to exclude it, "
      "measure A and B in turn",
      a_first ? "A" : "B", a_first ? "B" : "A"));
}

void NoteVerdicts(const ComparedRuns& runs, std::vector<std::string>& notes) {
  for (const Run& run : runs) {
    if (!run.network()) continue;
    Verdict verdict = run.verdict();
    if (verdict.kind == VerdictKind::kStable) continue;
    notes.push_back(fmt::format("the latency of run {} is not reliable: {}",
                                run.id.substr(0, 10), verdict.explanation));
  }
}

}  // namespace

Result<Comparison> CompareRuns(const CompareRunsRequest& request,
                               RunStore& store) {
  std::set<std::string> seen;
  ASSIGN_OR_RETURN(ComparedRuns first, ReadRuns(request.first, store, seen));
  ASSIGN_OR_RETURN(ComparedRuns second, ReadRuns(request.second, store, seen));
  if (first.empty() || second.empty()) {
    return InvalidInput("expected at least one run on each side");
  }
  const bool networks = first.front().network() != nullptr;
  for (const ComparedRuns* runs : {&first, &second}) {
    for (const Run& run : *runs) {
      if ((run.network() != nullptr) == networks) continue;
      return InvalidInput(
          "cannot compare a network's latency with an application's duration");
    }
  }
  Comparison comparison{.basis = ComparisonBasis::kRuns};
  ASSIGN_OR_RETURN(comparison.first, MakeSide(first));
  ASSIGN_OR_RETURN(comparison.second, MakeSide(second));
  if (networks && first.size() == 1 && second.size() == 1) {
    comparison.basis = ComparisonBasis::kInferences;
    UseInferences(*first.front().network(), comparison.first);
    UseInferences(*second.front().network(), comparison.second);
    comparison.notes.emplace_back(
        "one process each: the interval does not include differences between "
        "processes; measure each network six times or more and compare "
        "RUN,RUN,... with RUN,RUN,...");
  }
  auto ratio =
      RatioOfMedians(comparison.first.seconds, comparison.second.seconds);
  if (!ratio) return InvalidInput("a time of 0 cannot be compared");
  comparison.ratio = *ratio;
  NoteOrder(first, second, comparison.notes);
  NoteDifferences(first, second, comparison.notes);
  NoteVerdicts(first, comparison.notes);
  NoteVerdicts(second, comparison.notes);
  return comparison;
}

}  // namespace mete
