#include "contend/run_campaign.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "contend/measure_alone.h"
#include "contend/summarize_mix.h"
#include "devices/this_device.h"
#include "measure/keep_run.h"
#include "measure/machine_check.h"
#include "support/random.h"

namespace mete {
namespace {

constexpr size_t kMostFailuresInARow = 3;
// Candidates among which the next mix of an active campaign is chosen.
constexpr size_t kCandidates = 60;

class Campaign {
 public:
  Campaign(const ContendRequest& request, const ContendDependencies& needs,
           const ContendCallbacks& callbacks, std::stop_token stop)
      : request_(request),
        needs_(needs),
        callbacks_(callbacks),
        stop_(std::move(stop)) {}

  Result<ContendSummary> Go() {
    ASSIGN_OR_RETURN(
        device_, RegisterThisDevice(needs_.runs, needs_.host, needs_.clock));
    plan_ = request_.plan;
    plan_.cores = UsableCpus(device_);
    ASSIGN_OR_RETURN(CampaignFolder folder,
                     CampaignFolder::Open(request_.folder));
    RETURN_IF_ERROR(folder.KeepSetup({.device_id = device_.id,
                                      .device_name = device_.name,
                                      .timing = request_.timing,
                                      .launcher = request_.place.launcher,
                                      .image = request_.place.image}));
    RETURN_IF_ERROR(folder.KeepRequest(plan_));
    ASSIGN_OR_RETURN(starter_, needs_.open_starter(request_.place, stop_));
    pool_ = std::make_unique<ServicePool>(*starter_, request_.pool);
    summary_.folder = request_.folder;
    Status done = MeasureInto(folder);
    pool_->EndAll();
    if (!done.ok() && !stop_.stop_requested()) return done.error();
    summary_.interrupted = stop_.stop_requested();
    ASSIGN_OR_RETURN(std::vector<FinishedMix> mixes, folder.ReadMixes());
    summary_.rows = RowsOf(mixes);
    return std::move(summary_);
  }

 private:
  Status MeasureInto(CampaignFolder& folder) {
    ASSIGN_OR_RETURN(std::vector<FinishedMix> before, folder.ReadMixes());
    RETURN_IF_ERROR(StoreMissing(before));
    rows_ = RowsOf(before);
    for (const FinishedMix& mix : before) finished_.insert(mix.mix.id);
    CheckMachineAndWarn(needs_.host, needs_.clock, callbacks_.warn, stop_);
    RETURN_IF_ERROR(LearnApplications(folder));
    begun_ = needs_.clock.Now();
    if (plan_.kind == MixKind::kActive) return MeasureActively(folder);
    auto mixes = OrderedPlan(plan_, request_.at_most, known_);
    if (!mixes.ok()) return NoteInfeasible(mixes.error());
    summary_.planned = mixes->size();
    for (const Mix& mix : *mixes) {
      if (stop_.stop_requested()) return {};
      RETURN_IF_ERROR(Visit(mix, folder));
    }
    return {};
  }

  // A mete that was killed may have left a mix whose runs are not in the store.
  Status StoreMissing(const std::vector<FinishedMix>& mixes) {
    for (const FinishedMix& mix : mixes) {
      for (const Run& run : mix.runs) {
        auto found = needs_.runs.FindRun(run.id);
        if (found.ok()) continue;
        if (found.error().code() != ErrorCode::kNotFound) return found.error();
        RETURN_IF_ERROR(KeepRun(needs_.runs, run));
      }
    }
    return {};
  }

  // Measures the applications of the plan alone, unless the folder has them.
  Status LearnApplications(CampaignFolder& folder) {
    ASSIGN_OR_RETURN(known_, folder.ReadApplications());
    for (const std::string& application : plan_.applications) {
      if (known_.contains(application)) continue;
      Report("measure " + application + " alone");
      RETURN_IF_ERROR(starter_->Prepare(application, stop_).While(application));
      ASSIGN_OR_RETURN(known_[application],
                       MeasureAlone(application, *pool_, needs_.clock, stop_));
      RETURN_IF_ERROR(folder.KeepApplications(known_));
    }
    return {};
  }

  // A plan that no device of this size can run is a result, not a failure.
  Status NoteInfeasible(const Error& error) {
    if (error.code() != ErrorCode::kUnsupported) return error;
    summary_.infeasible = error.message();
    return {};
  }

  // Each step draws candidates of its own, so a resumed campaign continues with
  // the same ones.
  Status MeasureActively(CampaignFolder& folder) {
    summary_.planned = plan_.mixes;
    ASSIGN_OR_RETURN(std::unique_ptr<MixChooser> chooser,
                     needs_.open_chooser(plan_.seed));
    for (size_t step = 1; step <= plan_.mixes; ++step) {
      if (stop_.stop_requested()) return {};
      std::string id = fmt::format("active-{:03}", step);
      CampaignRequest draw = plan_;
      draw.mixes = kCandidates;
      draw.seed = DeriveSeed(plan_.seed, id);
      auto candidates = PlanCampaign(draw, known_);
      if (!candidates.ok()) return NoteInfeasible(candidates.error());
      size_t chosen = 0;
      if (!finished_.contains(id)) {
        Report("choose " + id);
        ASSIGN_OR_RETURN(chosen, chooser->Choose(*candidates, rows_));
      }
      Mix mix = std::move(candidates->at(chosen));
      mix.id = id;
      mix.seed = draw.seed;
      RETURN_IF_ERROR(Visit(mix, folder));
    }
    return {};
  }

  Status Visit(const Mix& mix, CampaignFolder& folder) {
    if (finished_.contains(mix.id)) {
      ++summary_.found;
      return {};
    }
    Report(mix.id + ": " + DescribeTenants(mix.tenants));
    Environment environment = needs_.host.ReadEnvironment();
    auto measured = MeasureTwice(mix);
    if (stop_.stop_requested()) return {};
    if (measured.ok()) {
      failures_ = 0;
      return Keep(*measured, environment, folder);
    }
    ++summary_.failed;
    if (++failures_ == kMostFailuresInARow) {
      return measured.error().While(
          fmt::format("{} mixes failed in a row; the last one, {}",
                      kMostFailuresInARow, mix.id));
    }
    Warn(mix.id + " is left out: " + measured.error().message());
    return {};
  }

  Result<MixMeasurement> MeasureTwice(const Mix& mix) {
    auto measure = [&] {
      return MeasureMix(
          mix, request_.timing,
          {.pool = *pool_, .drive = needs_.drive, .clock = needs_.clock},
          stop_);
    };
    auto measured = measure();
    if (measured.ok() || stop_.stop_requested()) return measured;
    pool_->EndAll();
    return measure();
  }

  // The folder first: from there, the runs reach the store even if this process
  // is killed in between.
  Status Keep(const MixMeasurement& measured, const Environment& environment,
              CampaignFolder& folder) {
    std::vector<Run> runs =
        MakeServiceRuns(measured,
                        {.device = device_,
                         .environment = environment,
                         .mete_version = request_.mete_version,
                         .launcher = request_.place.launcher},
                        needs_.draw_entropy);
    RETURN_IF_ERROR(folder.KeepMix(measured, runs));
    bool saturated = false;
    for (const Run& run : runs) {
      RETURN_IF_ERROR(KeepRun(needs_.runs, run));
      const MixObservation& row = run.application()->service->observation;
      saturated = saturated || row.saturated;
      rows_.push_back(row);
    }
    summary_.saturated += saturated ? 1 : 0;
    ++summary_.measured;
    return {};
  }

  void Report(const std::string& step) {
    if (!callbacks_.progress) return;
    ContendProgress progress{.done = summary_.found + summary_.measured,
                             .total = summary_.planned,
                             .step = step};
    if (summary_.measured > 0) {
      Seconds each = Seconds(needs_.clock.Now() - begun_) /
                     static_cast<double>(summary_.measured);
      progress.left =
          each * static_cast<double>(progress.total - progress.done);
    }
    callbacks_.progress(progress);
  }
  void Warn(const std::string& warning) {
    if (callbacks_.warn) callbacks_.warn(warning);
  }

  const ContendRequest& request_;
  const ContendDependencies& needs_;
  const ContendCallbacks& callbacks_;
  std::stop_token stop_;
  CampaignRequest plan_;
  Device device_;
  std::unique_ptr<ServiceStarter> starter_;
  std::unique_ptr<ServicePool> pool_;  // ends before the starter
  KnownApplications known_;
  std::vector<MixObservation> rows_;
  std::set<std::string> finished_;
  std::chrono::nanoseconds begun_{0};
  size_t failures_ = 0;
  ContendSummary summary_;
};

}  // namespace

Result<ContendSummary> RunCampaign(const ContendRequest& request,
                                   const ContendDependencies& dependencies,
                                   const ContendCallbacks& callbacks,
                                   std::stop_token stop) {
  return Campaign(request, dependencies, callbacks, std::move(stop)).Go();
}

Result<std::vector<Mix>> OrderedPlan(const CampaignRequest& request,
                                     std::optional<size_t> at_most,
                                     const KnownApplications& known) {
  ASSIGN_OR_RETURN(std::vector<Mix> mixes, PlanCampaign(request, known));
  bool listed =
      request.kind == MixKind::kBaseline || request.kind == MixKind::kPairwise;
  if (!listed) return mixes;
  Random random(DeriveSeed(request.seed, "order of mixes"));
  Shuffle(mixes, random);
  if (at_most && *at_most < mixes.size()) mixes.resize(*at_most);
  return mixes;
}

}  // namespace mete
