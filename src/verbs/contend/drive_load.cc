#include "contend/drive_load.h"

#include <utility>

#include "load/generated_request.h"
#include "load/load_summary.h"

namespace mete {
namespace {

std::optional<double> InSeconds(const std::optional<Seconds>& time) {
  if (!time) return std::nullopt;
  return time->count();
}

RequestTimes SojournOf(const TimeSummary& summary) {
  return {.mean = InSeconds(summary.mean),
          .p50 = InSeconds(summary.At(0.50).value),
          .p75 = InSeconds(summary.At(0.75).value),
          .p95 = InSeconds(summary.At(0.95).value),
          .p99 = InSeconds(summary.At(0.99).value)};
}

Result<LoadTarget> TargetFor(const TenantLoad& tenant, Seconds window) {
  LoadTarget target{.name = tenant.application,
                    .endpoints = tenant.instances,
                    .request = GeneratedInferenceRequest(),
                    .seed = tenant.seed + 1};
  ASSIGN_OR_RETURN(target.arrivals, PoissonArrivals({.rate = tenant.rate,
                                                     .window = window,
                                                     .seed = tenant.seed}));
  return target;
}

Result<std::vector<TenantAnswers>> Drive(const MixLoad& load,
                                         const LoadDependencies& dependencies,
                                         std::stop_token stop) {
  LoadPlan plan{.drain = load.drain};
  for (const TenantLoad& tenant : load.tenants) {
    ASSIGN_OR_RETURN(LoadTarget target, TargetFor(tenant, load.window));
    plan.targets.push_back(std::move(target));
  }
  ASSIGN_OR_RETURN(std::vector<LoadSamples> samples,
                   RunLoad(plan, dependencies, stop));
  if (stop.stop_requested()) {
    return Error(ErrorCode::kInterrupted, "the load was stopped");
  }
  std::vector<TenantAnswers> answers;
  for (const LoadSamples& tenant : samples) {
    LoadSummary summary = SummarizeLoad(tenant);
    answers.push_back({.sent = summary.counts.sent,
                       .answered = summary.counts.answered,
                       .failed = summary.counts.failed,
                       .sojourn = SojournOf(summary.sojourn),
                       .saturation = summary.saturation.explanation});
  }
  return answers;
}

}  // namespace

DriveLoad DriveWithPoissonLoad(LoadDependencies dependencies) {
  return [dependencies = std::move(dependencies)](const MixLoad& load,
                                                  std::stop_token stop) {
    return Drive(load, dependencies, std::move(stop));
  };
}

}  // namespace mete
