#include "contend/measure_mix.h"

#include <fmt/format.h>

#include <span>

#include "support/random.h"

namespace mete {
namespace {

using Instances = ServicePool::Instances;

Status FlushAll(const std::vector<Instances>& provided, std::stop_token stop) {
  for (const Instances& instances : provided) {
    for (RunningService* service : instances) {
      RETURN_IF_ERROR(service->Flush(stop));
    }
  }
  return {};
}

// Tenants of the same application need arrival times of their own, so the seed
// depends on the place in the mix.
MixLoad LoadFor(const Mix& mix, const MixTiming& timing,
                const std::vector<Instances>& provided) {
  MixLoad load{.window = timing.window, .drain = timing.drain};
  for (size_t i = 0; i < mix.tenants.size(); ++i) {
    const Tenant& tenant = mix.tenants[i];
    TenantLoad& own = load.tenants.emplace_back(
        TenantLoad{.application = tenant.application,
                   .rate = tenant.rate * tenant.instances,
                   .seed = DeriveSeed(mix.seed, fmt::format("tenant {}", i))});
    for (const RunningService* service : provided[i]) {
      own.instances.push_back(service->endpoint());
    }
  }
  return load;
}

std::vector<RunningService*> Flatten(const std::vector<Instances>& provided) {
  std::vector<RunningService*> all;
  for (const Instances& instances : provided) {
    all.insert(all.end(), instances.begin(), instances.end());
  }
  return all;
}

std::string NameProcess(const std::vector<int>& pids, size_t instance) {
  return pids.empty() ? fmt::format("instance-{}", instance + 1)
                      : std::to_string(pids.front());
}

// A service that still computes answers that nobody waits for would disturb the
// next mix.
void DiscardBusy(const TenantAnswers& answers, const Instances& instances,
                 ServicePool& pool) {
  if (answers.answered + answers.failed >= answers.sent) return;
  for (const RunningService* service : instances) pool.Discard(service);
}

// The times of every replica by itself, with its samples, which are taken from
// the front of `samples`.
Result<TenantMeasurement> FetchTenant(
    const Tenant& tenant, const Instances& instances,
    std::span<std::vector<ServiceSample>> samples, std::stop_token stop) {
  TenantMeasurement measured{.tenant = tenant};
  measured.port = instances.front()->endpoint().port;
  for (size_t i = 0; i < instances.size(); ++i) {
    RunningService& service = *instances[i];
    std::vector<int> pids = service.ProcessIds();
    ASSIGN_OR_RETURN(ServiceTimes times,
                     service.Times(stop).While(tenant.application));
    measured.process_ids.insert(measured.process_ids.end(), pids.begin(),
                                pids.end());
    measured.instances.push_back({.process = NameProcess(pids, i),
                                  .times = std::move(times),
                                  .samples = std::move(samples[i])});
  }
  return measured;
}

}  // namespace

Result<MixMeasurement> MeasureMix(const Mix& mix, const MixTiming& timing,
                                  const MeasureMixDependencies& dependencies,
                                  std::stop_token stop) {
  Clock& clock = dependencies.clock;
  ASSIGN_OR_RETURN(std::vector<Instances> provided,
                   dependencies.pool.Provide(mix.tenants, stop));
  clock.SleepFor(
      std::chrono::duration_cast<std::chrono::nanoseconds>(timing.settle),
      stop);
  RETURN_IF_ERROR(FlushAll(provided, stop));
  MixMeasurement measured{.mix = mix,
                          .started_at = clock.Wall(),
                          .window = timing.window,
                          .accounting = provided[0][0]->Accounting()};
  UsageSampler sampler({.services = Flatten(provided), .window = timing.window},
                       clock);
  auto answers = dependencies.drive(LoadFor(mix, timing, provided), stop);
  std::vector<std::vector<ServiceSample>> samples = sampler.Finish();
  if (!answers.ok()) return answers.error();
  std::span<std::vector<ServiceSample>> left = samples;
  for (size_t i = 0; i < mix.tenants.size(); ++i) {
    ASSIGN_OR_RETURN(TenantMeasurement tenant,
                     FetchTenant(mix.tenants[i], provided[i], left, stop));
    left = left.subspan(provided[i].size());
    tenant.answers = std::move((*answers)[i]);
    DiscardBusy(tenant.answers, provided[i], dependencies.pool);
    measured.tenants.push_back(std::move(tenant));
  }
  return measured;
}

}  // namespace mete
