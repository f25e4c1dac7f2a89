#include "contend/summarize_mix.h"

#include <fmt/format.h>

#include <numeric>

#include "stats/quantile.h"

namespace mete {
namespace {

void AddTo(std::optional<double>& sum, const std::optional<double>& part,
           bool first) {
  if (first) {
    sum = part;
  } else if (sum && part) {
    *sum += *part;
  } else {
    sum.reset();  // a sum without one of its parts would be too small
  }
}

TenantUsage SumUsage(const std::vector<InstanceMeasurement>& instances) {
  TenantUsage sum;
  bool first = true;
  for (const InstanceMeasurement& instance : instances) {
    UsageRate rate = UsageBetween(instance.samples);
    AddTo(sum.cpu_cores, rate.cpu_cores, first);
    AddTo(sum.cache_references_per_s, rate.cache_references_per_s, first);
    AddTo(sum.cache_misses_per_s, rate.cache_misses_per_s, first);
    AddTo(sum.page_faults_per_s, rate.page_faults_per_s, first);
    if (rate.memory_bytes) {
      sum.memory_bytes =
          std::max(sum.memory_bytes.value_or(0), *rate.memory_bytes);
    }
    first = false;
  }
  return sum;
}

std::vector<double> AllServiceTimes(const TenantMeasurement& tenant) {
  std::vector<double> all;
  for (const InstanceMeasurement& instance : tenant.instances) {
    all.insert(all.end(), instance.times.service.begin(),
               instance.times.service.end());
  }
  return all;
}

std::vector<Tenant> OtherTenants(const Mix& mix, size_t own) {
  std::vector<Tenant> others = mix.tenants;
  others.erase(others.begin() + static_cast<std::ptrdiff_t>(own));
  return others;
}

// "124 of 130 requests answered, median 3.00 ms, beside b x2 at 10/s"
std::string DescribeAnswers(const MixObservation& row,
                            const std::vector<Tenant>& others) {
  std::string text = fmt::format("{} of {} answered", FormatCount(row.answered),
                                 Counted(row.sent, "request"));
  if (row.service.p50) {
    text += ", median service time " + FormatSeconds(*row.service.p50);
  }
  if (row.saturated) text += ", saturated";
  return text +
         (others.empty() ? ", alone" : ", beside " + DescribeTenants(others));
}

RunOutcome OutcomeOf(const MixObservation& row,
                     const std::vector<Tenant>& others) {
  if (row.answered == 0) {
    return {.kind = OutcomeKind::kFailed, .detail = "no request was answered"};
  }
  return {.detail = DescribeAnswers(row, others)};
}

ApplicationDetails DetailsFor(const MixMeasurement& measured, size_t index,
                              const MixObservation& row) {
  ApplicationDetails details{.duration = Seconds(row.window_s),
                             .accounting = measured.accounting};
  if (row.usage.cpu_cores) {
    details.usage.cpu = Seconds(*row.usage.cpu_cores * row.window_s);
  }
  if (row.usage.memory_bytes) {
    details.usage.memory_peak =
        Bytes{static_cast<uint64_t>(*row.usage.memory_bytes)};
  }
  const TenantMeasurement& tenant = measured.tenants[index];
  for (const InstanceMeasurement& instance : tenant.instances) {
    details.sampling.taken += instance.samples.size();
  }
  details.sampling.hertz = 1;
  details.service =
      ServiceDetails{.observation = row,
                     .co_runners = OtherTenants(measured.mix, index),
                     .saturation = tenant.answers.saturation};
  return details;
}

}  // namespace

std::string DescribeTenants(const std::vector<Tenant>& tenants) {
  std::string text;
  for (const Tenant& tenant : tenants) {
    if (!text.empty()) text += ", ";
    text += tenant.application;
    if (tenant.instances > 1) text += fmt::format(" x{}", tenant.instances);
    text += fmt::format(" at {:.3g}/s", tenant.rate);
  }
  return text;
}

RequestTimes SummarizeTimes(const std::vector<double>& seconds) {
  if (seconds.empty()) return {};
  const std::vector<double> sorted = Sorted(seconds);
  double sum = std::accumulate(sorted.begin(), sorted.end(), 0.0);
  return {.mean = sum / static_cast<double>(sorted.size()),
          .p50 = QuantileOfSorted(sorted, 0.50),
          .p75 = QuantileOfSorted(sorted, 0.75),
          .p95 = QuantileOfSorted(sorted, 0.95),
          .p99 = QuantileOfSorted(sorted, 0.99)};
}

std::vector<MixObservation> SummarizeMix(const MixMeasurement& measured,
                                         const Device& device) {
  std::vector<MixObservation> rows;
  for (const TenantMeasurement& tenant : measured.tenants) {
    rows.push_back({.mix = measured.mix.id,
                    .kind = measured.mix.kind,
                    .seed = measured.mix.seed,
                    .device = device.name,
                    .cores = UsableCpus(device),
                    .window_s = measured.window.count(),
                    .started_at = measured.started_at,
                    .tenant = tenant.tenant,
                    .sent = tenant.answers.sent,
                    .answered = tenant.answers.answered,
                    .failed = tenant.answers.failed,
                    .saturated = !tenant.answers.saturation.empty(),
                    .service = SummarizeTimes(AllServiceTimes(tenant)),
                    .sojourn = tenant.answers.sojourn,
                    .usage = SumUsage(tenant.instances)});
  }
  return rows;
}

std::vector<Run> MakeServiceRuns(const MixMeasurement& measured,
                                 const ServiceRunContext& context,
                                 const std::function<RunEntropy()>& draw) {
  std::vector<Run> runs;
  const std::vector<MixObservation> rows =
      SummarizeMix(measured, context.device);
  for (size_t i = 0; i < rows.size(); ++i) {
    Run run;
    run.started_at = measured.started_at;
    run.id = MakeRunId(run.started_at, draw());
    run.workload = {.kind = WorkloadKind::kService,
                    .name = rows[i].tenant.application,
                    .source = fmt::format("mete service {} ({}, {})",
                                          rows[i].tenant.application,
                                          context.launcher, measured.mix.id)};
    run.device_id = context.device.id;
    run.device_name = context.device.name;
    run.outcome = OutcomeOf(rows[i], OtherTenants(measured.mix, i));
    run.engine = context.engine;
    run.environment = context.environment;
    run.mete_version = context.mete_version;
    run.seed = measured.mix.seed;
    ApplicationDetails details = DetailsFor(measured, i, rows[i]);
    run.cpu_time = details.usage.cpu;
    run.peak_rss = details.usage.memory_peak;
    run.details = std::move(details);
    runs.push_back(std::move(run));
  }
  return runs;
}

}  // namespace mete
