#include "sweep/run_sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>

#include "measure/application_text.h"
#include "measure/keep_run.h"
#include "measure/machine_check.h"
#include "measure/recorded_run.h"
#include "stats/mean_interval.h"
#include "stats/quantile.h"
#include "support/file.h"
#include "support/text.h"
#include "support/units.h"
#include "sweep/answer.h"
#include "sweep/search.h"
#include "sweep/sweep_text.h"

namespace mete {
namespace {

constexpr double kPatience = 10;
constexpr Seconds kLeastPatience{10};
// A run that takes this much longer than the slowdown allows is too slow beyond
// doubt, so it need not end.
constexpr double kOverBound = 1.5;
constexpr Seconds kLeastBound{1};
// Enough of a line to see why a workload failed, in bytes.
constexpr size_t kShownOutput = 300;
// Timers with these names are preferred as the step. Otherwise the step is the
// timer with the most calls.
constexpr const char* kUsualSteps[] = {"inference", "epoch"};

StepTimes ToStepTimes(const std::string& name, const AppMetric& metric) {
  StepTimes steps{
      .name = name,
      .count = metric.count,
      .mean = Seconds(metric.mean.value_or(0)),
      .p50 = Seconds(metric.p50.value_or(0)),
      .p99 = Seconds(metric.p99.value_or(0)),
      .p95 = metric.p95 ? std::optional(Seconds(*metric.p95)) : std::nullopt};
  std::vector<ValueBatch> batches;
  for (const AppBatch& batch : metric.batches) {
    batches.push_back({batch.sum, batch.count});
  }
  auto estimate = EstimateMean(batches);
  if (estimate && estimate->interval) {
    steps.mean_low = Seconds(estimate->interval->low);
    steps.mean_high = Seconds(estimate->interval->high);
  }
  return steps;
}

// Timers with one call are phases; the one with the most calls is the step.
void FillHooks(const AppMetrics& metrics, SweepPoint& point) {
  const std::pair<const std::string, AppMetric>* most = nullptr;
  for (const auto& metric : metrics) {
    if (metric.second.kind != AppMetricKind::kTimer) continue;
    if (metric.second.count == 1 && metric.second.p50) {
      point.phases[metric.first] = Seconds(*metric.second.p50);
    } else if (metric.second.count > 1 &&
               (most == nullptr || metric.second.count > most->second.count)) {
      most = &metric;
    }
  }
  for (const char* name : kUsualSteps) {
    auto found = metrics.find(name);
    bool fits = found != metrics.end() &&
                found->second.kind == AppMetricKind::kTimer &&
                found->second.count > 0;
    if (!fits) continue;
    point.phases.erase(name);
    point.steps = ToStepTimes(name, found->second);
    return;
  }
  if (most != nullptr) point.steps = ToStepTimes(most->first, most->second);
}

// The size above which files are worth repeating the first run for.
constexpr uint64_t kMuchCached = 1u << 20;

uint64_t SumSizes(const std::vector<std::filesystem::path>& files) {
  uint64_t sum = 0;
  for (const std::filesystem::path& file : files) {
    std::error_code error;
    auto size = std::filesystem::file_size(file, error);
    if (!error) sum += size;
  }
  return sum;
}

// Whether two runs differ only in the limit that the sweep tightens, and
// `first` had its loosest value.
bool IsReference(const SweepPlan& plan, const SweepPoint& first,
                 const PointLimits& limits) {
  if (plan.memory) {
    return first.limits.memory == plan.memory->from &&
           first.limits.millicores == limits.millicores;
  }
  return plan.cpus && first.limits.millicores == plan.cpus->from;
}

// The median times with the loosest value of the swept limit, in seconds.
struct Usual {
  std::optional<double> duration;
  std::optional<double> step;
};

Usual UsualTimes(const SweepPlan& plan, const PointLimits& limits,
                 const std::vector<SweepPoint>& points) {
  std::vector<double> durations;
  std::vector<double> steps;
  for (const SweepPoint& point : points) {
    if (!point.worked || !IsReference(plan, point, limits)) continue;
    durations.push_back(point.duration.count());
    if (point.steps) steps.push_back(point.steps->mean.count());
  }
  return {.duration = Quantile(durations, 0.5), .step = Quantile(steps, 0.5)};
}

std::optional<Seconds> FindStatistic(const StepTimes& steps,
                                     const std::string& statistic) {
  if (statistic == "mean") return steps.mean;
  if (statistic == "p50") return steps.p50;
  if (statistic == "p95") return steps.p95;
  if (statistic == "p99") return steps.p99;
  return std::nullopt;
}

// The last line with visible text, shortened and safe to print. Empty if there
// is none.
std::string LastLine(const std::filesystem::path& log) {
  auto text = ReadFile(log);
  if (!text.ok()) return "";
  const size_t end = text->find_last_not_of(" \t\r\n");
  if (end == std::string::npos) return "";
  const size_t begin = text->find_last_of('\n', end);
  std::string line = text->substr(begin + 1, end - begin);
  std::erase_if(line, [](unsigned char c) { return std::iscntrl(c); });
  return Tame(line, kShownOutput);
}

double ToCpus(const PointLimits& limits) {
  return static_cast<double>(limits.millicores.value_or(1000)) / 1000;
}

class Sweeping {
 public:
  Sweeping(SweepRequest request, const RunSweepDependencies& dependencies,
           const ProgressLines& lines, std::stop_token stop)
      : request_(std::move(request)),
        runs_(dependencies.runs),
        sweeps_(dependencies.sweeps),
        page_cache_(dependencies.page_cache),
        platform_(dependencies.platform),
        lines_(lines),
        stop_(std::move(stop)) {}

  Result<SweepResult> Go() {
    RETURN_IF_ERROR(CheckPlan(sweep_.plan));
    began_ = platform_.clock.Now();
    resumed_ = sweep_.points.size();
    while (auto limits = NextPoint(sweep_.plan, sweep_.points)) {
      if (stop_.stop_requested()) return EndWith({});
      if (sweep_.points.size() == resumed_) LookAtMachine();
      Eviction eviction;
      ASSIGN_OR_RETURN(Run run, RunCold(*limits, eviction));
      Status stored = KeepRun(runs_, run);
      if (run.outcome.kind == OutcomeKind::kInterrupted) return EndWith(stored);
      if (run.outcome.kind == OutcomeKind::kRejected) {
        return Unsupported(
            fmt::format("{}: {}", LimitsText(*limits), run.outcome.detail));
      }
      // A run without the limit says nothing about the limit.
      if (!AreLimitsApplied(run)) {
        return Unsupported(fmt::format(
            "the {} limit is not applied: cannot create a cgroup for it here "
            "(run as root, or in a delegated cgroup)",
            ToString(run.application()->missing_limits.front())));
      }
      SweepPoint point = MakeSweepPoint(*limits, run);
      if (sweep_.plan.cold) point.cached = eviction.kept;
      if (point.outcome.kind == OutcomeKind::kFailed) {
        point.last_output = LastLine(run.application()->log_file);
      }
      if (sweep_.plan.objective && point.worked && !point.steps) {
        return InvalidInput(
            "--slo: the workload reports no steps; see the hooks in "
            "mete/hook.h");
      }
      JudgeSpeed(sweep_.plan, sweep_.points, point);
      sweep_.points.push_back(std::move(point));
      if (stored.ok()) stored = KeepSweep();
      if (!stored.ok()) return EndWith(stored);
    }
    sweep_.finished = true;
    return EndWith(KeepSweep());
  }

 private:
  SweepResult EndWith(const Status& stored) const {
    return {.sweep = sweep_, .stored = stored};
  }

  // Before the first run, when nothing of this sweep keeps the CPUs busy.
  void LookAtMachine() {
    check_ = CheckMachineAndWarn(platform_.host, platform_.clock, lines_.warn,
                                 stop_);
    for (const std::string& warning : check_.warnings) {
      if (!HasItem(sweep_.notes, warning)) sweep_.notes.push_back(warning);
    }
  }

  Status KeepSweep() {
    return sweeps_.SaveSweep(sweep_).While("the sweep is not stored");
  }

  // Runs with the files evicted that earlier runs opened. The first run of a
  // cold sweep only shows which these are.
  Result<Run> RunCold(const PointLimits& limits, Eviction& eviction) {
    const bool first = files_.empty();
    if (!first) eviction = page_cache_.Evict(Files());
    ASSIGN_OR_RETURN(ApplicationRun done, RunAt(limits));
    Remember(done);
    const bool again = first && sweep_.plan.cold && !stop_.stop_requested() &&
                       SumSizes(Files()) > kMuchCached;
    if (!again) return std::move(done.run);
    std::error_code ignored;
    std::filesystem::remove_all(request_.runs_folder / done.run.id, ignored);
    eviction = page_cache_.Evict(Files());
    ASSIGN_OR_RETURN(done, RunAt(limits));
    Remember(done);
    return std::move(done.run);
  }

  void Remember(const ApplicationRun& done) {
    if (!done.opened_files) return;
    files_.insert(done.opened_files->begin(), done.opened_files->end());
  }

  std::vector<std::filesystem::path> Files() const {
    return {files_.begin(), files_.end()};
  }

  Result<ApplicationRun> RunAt(const PointLimits& limits) {
    ApplicationSpec spec = request_.application;
    if (limits.memory) spec.limits.memory = Bytes{*limits.memory};
    if (limits.millicores) {
      spec.limits.cpus = Millicores{static_cast<int64_t>(*limits.millicores)};
    }
    spec.environment.merge(LimitVariables(limits));
    if (!spec.timeout)
      spec.timeout = PatienceFor(sweep_.plan, limits, sweep_.points);
    ASSIGN_OR_RETURN(PreparedApplication application,
                     PrepareApplication(spec, request_.context, platform_,
                                        lines_.progress, stop_));
    application.run_id = NewRunId(platform_);
    application.launch.record_files = sweep_.plan.cold;
    if (sweep_.points.size() == resumed_) application.machine = check_;
    auto folder = request_.runs_folder / application.run_id;
    return RecordRun(std::move(application), folder, platform_,
                     {.progress =
                          [&](const ApplicationProgress& progress) {
                            if (!lines_.progress) return;
                            lines_.progress(Standing(limits, progress.elapsed));
                          },
                      .warn = lines_.warn},
                     stop_);
  }

  // "run 5, 6 left (40.0 s): 143 MiB; works at 160 MiB, fails at 120 MiB; 2 s
  // so far". The least important part comes last, because a narrow terminal
  // cuts it off.
  std::string Standing(const PointLimits& limits, Seconds elapsed) const {
    uint64_t left = RunsLeft(sweep_.plan, sweep_.points);
    std::string text =
        fmt::format("run {}, {} left", sweep_.points.size() + 1, left);
    size_t done = sweep_.points.size() - resumed_;
    if (done > 0) {
      // The current run is one of those left.
      Seconds each = (Seconds(platform_.clock.Now() - began_) - elapsed) /
                     static_cast<double>(done);
      text += fmt::format(
          " ({})", FormatSeconds(each.count() * static_cast<double>(left)));
    }
    return text + fmt::format(": {}{}; {:.0f} s so far", LimitsText(limits),
                              BracketText(limits), elapsed.count());
  }

  std::string BracketText(const PointLimits& limits) const {
    Tallies tallies = limits.memory
                          ? TalliesByMemory(sweep_.points, limits.millicores)
                          : TalliesByCpus(sweep_.points);
    Floor floor = FindFloor(tallies, sweep_.plan.search);
    auto format = limits.memory ? &MemoryText : &CpusText;
    std::string text;
    if (floor.smallest) text += "; works at " + format(*floor.smallest);
    if (floor.fails) {
      text += (floor.smallest ? ", fails at " : "; fails at ") +
              format(*floor.fails);
    }
    return text;
  }

  SweepRequest request_;
  RunStore& runs_;
  SweepStore& sweeps_;
  PageCache& page_cache_;
  const ApplicationDependencies& platform_;
  const ProgressLines& lines_;
  std::stop_token stop_;
  Sweep& sweep_ = request_.sweep;
  std::chrono::nanoseconds began_{0};
  size_t resumed_ = 0;
  MachineCheck check_;                     // before the first run
  std::set<std::filesystem::path> files_;  // that the workload opened
};

}  // namespace

std::map<std::string, std::string> LimitVariables(const PointLimits& limits) {
  std::map<std::string, std::string> variables;
  if (limits.memory) {
    variables["MEM_LIMIT"] = std::to_string(*limits.memory >> 20);
  }
  if (limits.millicores) {
    variables["CPU_QUOTA"] = std::to_string(*limits.millicores * 100);
  }
  return variables;
}

SweepPoint MakeSweepPoint(const PointLimits& limits, const Run& run) {
  SweepPoint point{.limits = limits,
                   .run_id = run.id,
                   .outcome = run.outcome,
                   .started_at = run.started_at};
  if (!run.application() || !run.application()->started()) return point;
  const ApplicationDetails& results = *run.application();
  const uint64_t killed = results.usage.oom_kills.value_or(0);
  if (run.outcome.kind == OutcomeKind::kCompleted && killed > 0) {
    // A shell or a pool of workers survives the death of a child.
    point.outcome = {
        .kind = OutcomeKind::kOutOfMemory,
        .detail = fmt::format(
            "the kernel killed {} for lack of memory, though the command went "
            "on",
            Counted(killed, "process", "processes"))};
  }
  point.worked = point.outcome.kind == OutcomeKind::kCompleted &&
                 results.exit_code.value_or(0) == 0;
  point.duration = *results.duration;
  point.cpu_time = results.usage.cpu;
  point.peak_memory = results.usage.memory_peak;
  if (results.usage.periods && results.usage.throttled_periods &&
      *results.usage.periods > 0) {
    point.throttled = static_cast<double>(*results.usage.throttled_periods) /
                      static_cast<double>(*results.usage.periods);
  }
  FillHooks(results.app_metrics, point);
  return point;
}

void JudgeSpeed(const SweepPlan& plan, const std::vector<SweepPoint>& before,
                SweepPoint& point) {
  if (!point.worked) return;
  // Below this, noise alone can double a time.
  constexpr Seconds kTolerance{0.05};
  const Usual usual = UsualTimes(plan, point.limits, before);
  const auto too_long = [&](Seconds time, std::optional<double> median,
                            Seconds tolerance) {
    return plan.slowdown && median &&
           time > Seconds(*plan.slowdown * *median) + tolerance;
  };
  bool slow = too_long(point.duration, usual.duration, kTolerance);
  if (point.steps) {
    slow = slow || too_long(point.steps->mean, usual.step, Seconds(0));
    if (plan.objective) {
      auto value = FindStatistic(*point.steps, plan.objective->statistic);
      slow = slow || !value || *value > plan.objective->at_most;
    }
  }
  point.too_slow = slow;
  point.worked = !slow;
}

std::optional<Seconds> PatienceFor(const SweepPlan& plan,
                                   const PointLimits& limits,
                                   const std::vector<SweepPoint>& points) {
  Seconds slowest{0};  // CPU time, if CPUs were the only limit
  for (const SweepPoint& point : points) {
    if (!point.worked) continue;
    slowest = std::max(slowest, point.duration * ToCpus(point.limits));
  }
  if (slowest <= Seconds(0)) return std::nullopt;
  Seconds patience =
      std::max(kLeastPatience, kPatience * slowest / ToCpus(limits));
  if (auto usual = UsualTimes(plan, limits, points).duration;
      plan.slowdown && usual) {
    patience = std::min(
        patience,
        std::max(kLeastBound, kOverBound * *plan.slowdown * Seconds(*usual)));
  }
  return patience;
}

Result<SweepResult> RunSweep(SweepRequest request,
                             const RunSweepDependencies& dependencies,
                             const ProgressLines& lines, std::stop_token stop) {
  return Sweeping(std::move(request), dependencies, lines, std::move(stop))
      .Go();
}

}  // namespace mete
