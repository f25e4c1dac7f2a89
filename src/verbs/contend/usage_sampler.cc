#include "contend/usage_sampler.h"

#include <algorithm>

namespace mete {
namespace {

std::optional<double> AsNumber(const std::optional<uint64_t>& count) {
  if (!count) return std::nullopt;
  return static_cast<double>(*count);
}

std::optional<double> PageFaults(const ResourceUsage& usage) {
  if (!usage.minor_faults && !usage.major_faults) return std::nullopt;
  return static_cast<double>(usage.minor_faults.value_or(0) +
                             usage.major_faults.value_or(0));
}

std::optional<double> Rate(const std::optional<double>& before,
                           const std::optional<double>& after, double seconds) {
  // A counter that went backwards belonged to a process that has ended.
  if (!before || !after || *after < *before) return std::nullopt;
  return (*after - *before) / seconds;
}

}  // namespace

UsageSampler::UsageSampler(Request request, Clock& clock)
    : request_(std::move(request)),
      clock_(clock),
      start_(clock.Now()),
      samples_(request_.services.size()) {
  Look();  // before the first request
  thread_ = std::jthread([this](std::stop_token stop) { Sample(stop); });
}

void UsageSampler::Look() {
  for (size_t i = 0; i < request_.services.size(); ++i) {
    samples_[i].push_back(
        {.at = clock_.Now() - start_, .usage = request_.services[i]->Usage()});
  }
}

void UsageSampler::Sample(std::stop_token stop) {
  for (int tick = 1;; ++tick) {
    Seconds due = std::min(request_.period * tick, request_.window);
    auto wait = std::chrono::duration_cast<std::chrono::nanoseconds>(due) -
                (clock_.Now() - start_);
    if (wait.count() > 0 && !clock_.SleepFor(wait, stop)) return;
    if (stop.stop_requested()) return;
    Look();
    if (due >= request_.window) return;
  }
}

std::vector<std::vector<ServiceSample>> UsageSampler::Finish() {
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
  return std::move(samples_);
}

UsageRate UsageBetween(const std::vector<ServiceSample>& samples) {
  UsageRate rate;
  for (const ServiceSample& sample : samples) {
    if (!sample.usage.memory) continue;
    auto bytes = static_cast<double>(sample.usage.memory->count);
    rate.memory_bytes = std::max(rate.memory_bytes.value_or(0), bytes);
  }
  if (samples.size() < 2) return rate;
  const ResourceUsage& first = samples.front().usage;
  const ResourceUsage& last = samples.back().usage;
  double seconds = (samples.back().at - samples.front().at).count();
  if (seconds <= 0) return rate;
  if (first.cpu && last.cpu) {
    rate.cpu_cores = Rate(first.cpu->count(), last.cpu->count(), seconds);
  }
  rate.cache_references_per_s =
      Rate(AsNumber(first.hardware.cache_references),
           AsNumber(last.hardware.cache_references), seconds);
  rate.cache_misses_per_s = Rate(AsNumber(first.hardware.cache_misses),
                                 AsNumber(last.hardware.cache_misses), seconds);
  rate.page_faults_per_s = Rate(PageFaults(first), PageFaults(last), seconds);
  return rate;
}

}  // namespace mete
