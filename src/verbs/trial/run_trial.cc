#include "trial/run_trial.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "devices/find_devices.h"
#include "devices/this_device.h"
#include "domain/run_words.h"
#include "measure/application_text.h"
#include "measure/keep_run.h"
#include "measure/prepare_application.h"
#include "measure/recorded_run.h"
#include "support/file.h"
#include "trial/halving.h"

namespace mete {
namespace {

// Shorter runs would mostly measure how the application starts.
constexpr Seconds kShortestRun{1};
// The application gets this long to end by itself.
constexpr Seconds kTrialGrace{2};
// Enough of a log to find numbers in it.
constexpr size_t kMostLog = size_t{64} << 20;

TrialDirection DirectionFor(TrialObjective objective) {
  return objective == TrialObjective::kThroughput ? TrialDirection::kLargest
                                                  : TrialDirection::kSmallest;
}

// A variant with everything that is known about it.
struct Contender {
  TrialVariant variant;
  PreparedApplication prepared{};
  std::vector<ValueBatch> values{};
  std::optional<double> price_per_hour{};
  TrialEntry entry{};
};

class Trial {
 public:
  Trial(const TrialRequest& request,
        const MeasureApplicationDependencies& dependencies,
        const ProgressLines& lines, std::stop_token stop)
      : request_(request),
        dependencies_(dependencies),
        lines_(lines),
        stop_(std::move(stop)) {}

  Status Prepare();
  Status Run();
  TrialResult Finish();

 private:
  Result<std::vector<TrialAxis>> WithAllNodes() const;
  Status PrepareOne(TrialVariant variant);
  Status RunRound(const std::vector<size_t>& among, size_t rounds_left);
  Status RunOnce(Contender& contender, Seconds length,
                 const std::string& which);
  Status Take(const ApplicationRun& done, const std::string& log,
              Contender& contender);
  Seconds Spent() const {
    return dependencies_.platform.clock.Now() - started_;
  }
  TrialValues Values() const;
  void AddEfficiencies();

  const TrialRequest& request_;
  const MeasureApplicationDependencies& dependencies_;
  const ProgressLines& lines_;
  const std::stop_token stop_;
  Device here_{};
  std::vector<TrialAxis> axes_;
  std::chrono::nanoseconds started_{};
  std::vector<Contender> contenders_;
  bool interrupted_ = false;
  std::vector<std::string> notes_;  // of the first run that has some
  Status stored_;
};

Status Trial::Prepare() {
  const ApplicationDependencies& platform = dependencies_.platform;
  if (request_.objective == TrialObjective::kCost && !request_.prices) {
    return InvalidInput("the objective cost needs prices");
  }
  ASSIGN_OR_RETURN(here_, RegisterThisDevice(dependencies_.runs, platform.host,
                                             platform.clock));
  auto find = [this](const std::string& name) -> Result<Device> {
    ASSIGN_OR_RETURN(auto found, DevicesHere(dependencies_.runs, here_, name));
    return found.front();
  };
  ASSIGN_OR_RETURN(axes_, WithAllNodes());
  ASSIGN_OR_RETURN(auto variants,
                   MakeTrialVariants(request_.application, axes_, find));
  for (TrialVariant& variant : variants) {
    RETURN_IF_ERROR(PrepareOne(std::move(variant)));
  }
  started_ = platform.clock.Now();
  return {};
}

// Replaces device=all by the nodes of the cluster that the application runs on.
Result<std::vector<TrialAxis>> Trial::WithAllNodes() const {
  std::vector<TrialAxis> axes = request_.axes;
  const std::string& name = request_.application.launcher;
  for (TrialAxis& axis : axes) {
    const bool all = axis.values == std::vector<std::string>{"all"};
    if (name.empty() || axis.name != "device" || !all) continue;
    ASSIGN_OR_RETURN(Launcher * launcher,
                     dependencies_.platform.launchers.Find(name));
    ASSIGN_OR_RETURN(axis.values, launcher->Nodes(stop_));
    if (axis.values.empty()) {
      return Unavailable("no node of the cluster is ready");
    }
  }
  return axes;
}

Status Trial::PrepareOne(TrialVariant variant) {
  Contender contender{.variant = std::move(variant)};
  contender.entry.label = contender.variant.label;
  ApplicationSpec& spec = contender.variant.application;
  spec.repeat = 1;
  spec.grace = std::min(spec.grace, kTrialGrace);
  if (!spec.container && !spec.network) {
    ASSIGN_OR_RETURN(spec.command, WithTorchFound(std::move(spec.command),
                                                  dependencies_.torch));
  }
  if (request_.prices) {
    ASSIGN_OR_RETURN(contender.price_per_hour,
                     PricePerHour(contender.variant, *request_.prices));
  }
  ASSIGN_OR_RETURN(
      contender.prepared,
      PrepareApplication(spec,
                         {.device = contender.variant.device.value_or(here_),
                          .mete_version = request_.mete_version,
                          .allow_privileged = request_.allow_privileged},
                         dependencies_.platform, lines_.progress, stop_));
  contender.prepared.check_machine = contenders_.empty();
  contenders_.push_back(std::move(contender));
  return {};
}

Status Trial::Run() {
  std::vector<size_t> among(contenders_.size());
  std::iota(among.begin(), among.end(), 0);
  const TrialDirection direction = DirectionFor(request_.objective);
  for (size_t left = CountRounds(among.size()); left > 0; --left) {
    RETURN_IF_ERROR(RunRound(among, left));
    if (interrupted_ || !stored_.ok()) return {};
    among = NextRound(Values(), among, direction);
    if (among.size() < 2 || Spent() >= request_.budget) return {};
  }
  return {};
}

Status Trial::RunRound(const std::vector<size_t>& among, size_t rounds_left) {
  Seconds length =
      LengthOfRun(request_.budget - Spent(), rounds_left, among.size());
  length = std::max(length, kShortestRun);
  for (size_t i = 0; i < among.size() && !interrupted_ && stored_.ok(); ++i) {
    Contender& contender = contenders_[among[i]];
    RETURN_IF_ERROR(
        RunOnce(contender, length,
                fmt::format("{} ({} of {}): ", contender.entry.label, i + 1,
                            among.size())));
  }
  return {};
}

Status Trial::RunOnce(Contender& contender, Seconds length,
                      const std::string& which) {
  PreparedApplication application = contender.prepared;
  application.spec.timeout = length;
  application.interrupt_grace = kTrialGrace;
  application.run_id = NewRunId(dependencies_.platform);
  std::filesystem::path folder = dependencies_.runs_folder / application.run_id;
  auto report = [&](const ApplicationProgress& progress) {
    if (lines_.progress) lines_.progress(which + ProgressText(progress));
  };
  ASSIGN_OR_RETURN(
      ApplicationRun done,
      RecordRun(std::move(application), folder, dependencies_.platform,
                {.progress = report, .warn = lines_.warn}, stop_));
  stored_ = KeepRun(dependencies_.runs, done.run);
  contender.entry.run_ids.push_back(done.run.id);
  interrupted_ = done.run.outcome.kind == OutcomeKind::kInterrupted;
  std::string log;
  if (request_.source.in_log) {
    if (auto text = ReadFile(folder / kLogFile); text.ok()) {
      log = text->substr(0, kMostLog);
    }
  }
  return Take(done, log, contender);
}

Status Trial::Take(const ApplicationRun& done, const std::string& log,
                   Contender& contender) {
  const RunOutcome& outcome = done.run.outcome;
  if (interrupted_) return {};
  if (outcome.kind != OutcomeKind::kCompleted &&
      outcome.kind != OutcomeKind::kTimedOut) {
    contender.entry.failure =
        fmt::format("{}{}", ToWords(outcome.kind), DetailSuffix(outcome));
    return {};
  }
  const ApplicationDetails& details = *done.run.application();
  if (notes_.empty()) notes_ = details.notes;
  if (!details.missing_limits.empty()) {
    contender.entry.failure =
        fmt::format("the {} limit could not be applied",
                    ToString(details.missing_limits.front()));
    return {};
  }
  ASSIGN_OR_RETURN(auto values, ReadTrialValues(done, log, request_.source,
                                                request_.objective));
  if (values.empty() && contender.values.empty()) {
    contender.entry.failure =
        fmt::format("no value within {}",
                    FormatSeconds(details.duration.value_or(Seconds(0))));
    return {};
  }
  contender.values.insert(contender.values.end(), values.begin(), values.end());
  TrialEntry& entry = contender.entry;
  entry.value =
      EstimateTrialValue(contender.values, request_.source, request_.objective);
  if (entry.value && contender.price_per_hour &&
      request_.objective != TrialObjective::kLatency) {
    entry.cost = CostPerThousand(*entry.value, *contender.price_per_hour);
  }
  return {};
}

TrialValues Trial::Values() const {
  TrialValues values;
  for (const Contender& contender : contenders_) {
    const TrialEntry& entry = contender.entry;
    if (!entry.failure.empty()) {
      values.push_back(std::nullopt);
    } else {
      values.push_back(request_.objective == TrialObjective::kCost
                           ? entry.cost
                           : entry.value);
    }
  }
  return values;
}

// The resource of which a variant has a number.
std::optional<double> Amount(const TrialVariant& variant,
                             const std::string& axis) {
  if (axis == "gpu") return static_cast<double>(variant.gpus);
  if (axis != "cpus") return std::nullopt;
  return static_cast<double>(variant.application.limits.cpus->count) / 1000;
}

void Trial::AddEfficiencies() {
  if (request_.axes.size() != 1 ||
      request_.objective == TrialObjective::kLatency) {
    return;
  }
  const std::string& axis = request_.axes.front().name;
  auto amount = [&](const Contender& contender) {
    return Amount(contender.variant, axis);
  };
  const Contender* base = nullptr;
  for (const Contender& contender : contenders_) {
    if (!amount(contender)) return;
    if (!contender.entry.value) continue;
    if (!base || *amount(contender) < *amount(*base)) base = &contender;
  }
  if (!base || base->entry.value->mean <= 0) return;
  double best = base->entry.value->mean / *amount(*base);
  for (Contender& contender : contenders_) {
    if (!contender.entry.value) continue;
    contender.entry.efficiency =
        contender.entry.value->mean / *amount(contender) / best;
  }
}

// Whether the first of the ranked variants is surely better than the others.
bool IsDecided(const TrialValues& values, const std::vector<size_t>& ranked,
               TrialDirection direction) {
  return !ranked.empty() &&
         std::all_of(ranked.begin() + 1, ranked.end(), [&](size_t variant) {
           return IsSurelyWorse(*values[variant], *values[ranked.front()],
                                direction);
         });
}

TrialResult Trial::Finish() {
  AddEfficiencies();
  std::vector<size_t> all(contenders_.size());
  std::iota(all.begin(), all.end(), 0);
  const TrialValues values = Values();
  std::vector<size_t> order =
      RankVariants(values, all, DirectionFor(request_.objective));
  TrialResult result{
      .objective = request_.objective,
      // Otherwise some variants may not have been tried.
      .decided = !interrupted_ && stored_.ok() &&
                 IsDecided(values, order, DirectionFor(request_.objective)),
      .interrupted = interrupted_,
      .spent = Spent(),
      .stored = stored_,
      .notes = notes_};
  for (size_t variant : all) {
    if (!values[variant]) order.push_back(variant);
  }
  for (size_t variant : order) {
    result.entries.push_back(contenders_[variant].entry);
  }
  if (!request_.source.hook.empty() || request_.source.in_log) {
    result.notes.push_back(
        "the intervals contain the variation within runs, not between them");
  }
  return result;
}

}  // namespace

Result<TrialResult> RunTrial(const TrialRequest& request,
                             const MeasureApplicationDependencies& dependencies,
                             const ProgressLines& lines, std::stop_token stop) {
  Trial trial(request, dependencies, lines, std::move(stop));
  RETURN_IF_ERROR(trial.Prepare());
  RETURN_IF_ERROR(trial.Run());
  return trial.Finish();
}

}  // namespace mete
