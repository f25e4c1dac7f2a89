#include "analyze/kind_of_job.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analyze/duration_text.h"
#include "series/even_series.h"

namespace mete {
namespace {

// Below these a resource is unused: the idle load of a container runtime, and
// the context that a driver keeps on a GPU.
constexpr double kIdleGpu = 0.02;  // share
constexpr double kIdleCores = 0.02;
constexpr double kIdleBytes = 1e6;   // of memory
constexpr double kHeldBytes = 64e6;  // of memory
constexpr double kIdleBytesPerSecond = 1e4;
// Data-bound: reads this much while it computes less than half of the time.
constexpr double kBusyBytesPerSecond = 10e6;
constexpr double kHalfBusy = 0.5;
// Training steps and epochs are shorter than the day that people live by.
constexpr double kLongestStep = 6 * 3600;
constexpr double kLeastCorrelation = 0.6;
constexpr double kSaturated = 0.9;

class Facts {
 public:
  Facts(const JobSeries& series, const std::vector<NamedAnalysis>& analyses)
      : series_(series), analyses_(analyses) {}

  const SeriesAnalysis* Find(std::string_view name) const {
    for (const NamedAnalysis& named : analyses_) {
      if (named.name == name && named.analysis.summary) return &named.analysis;
    }
    return nullptr;
  }
  std::optional<double> Peak(std::string_view name) const {
    const SeriesAnalysis* analysis = Find(name);
    if (analysis == nullptr) return std::nullopt;
    return analysis->summary->max;
  }
  std::optional<double> P95(std::string_view name) const {
    const SeriesAnalysis* analysis = Find(name);
    if (analysis == nullptr) return std::nullopt;
    return analysis->summary->p95;
  }
  std::optional<double> Mean(std::string_view name) const {
    const SeriesAnalysis* analysis = Find(name);
    if (analysis == nullptr) return std::nullopt;
    return analysis->summary->mean;
  }
  // Computing is what the GPU does, or the CPU without one.
  bool has_gpu() const {
    return Find("gpu_utilization") != nullptr &&
           (Peak("gpu_utilization") > kIdleGpu ||
            Peak("gpu_memory") > kIdleBytes);
  }
  std::string_view compute() const {
    return has_gpu() ? "gpu_utilization" : "cpu";
  }
  std::string_view compute_words() const {
    return has_gpu() ? "GPU utilization" : "CPU usage";
  }
  const std::optional<TimeSeries>& compute_series() const {
    return has_gpu() ? series_.gpu_utilization : series_.cpu;
  }
  const JobSeries& series() const { return series_; }

 private:
  const JobSeries& series_;
  const std::vector<NamedAnalysis>& analyses_;
};

// Correlation of two series at the times of both, on a common grid; 0 if they
// have fewer than 8 in common.
double CorrelationOf(const TimeSeries& a, const TimeSeries& b, double step) {
  auto even_a = MakeEven(a.times, a.values, step);
  auto even_b = MakeEven(b.times, b.values, step);
  if (!even_a.ok() || !even_b.ok()) return 0;
  const double shift = std::round((even_b->start - even_a->start) / step);
  double n = 0, sa = 0, sb = 0, aa = 0, bb = 0, ab = 0;
  for (size_t i = 0; i < even_a->values.size(); ++i) {
    const double at = static_cast<double>(i) - shift;
    if (at < 0 || at >= static_cast<double>(even_b->values.size())) continue;
    const double x = even_a->values[i];
    const double y = even_b->values[static_cast<size_t>(at)];
    if (!std::isfinite(x) || !std::isfinite(y)) continue;
    n += 1;
    sa += x;
    sb += y;
    aa += x * x;
    bb += y * y;
    ab += x * y;
  }
  if (n < 8) return 0;
  const double va = aa - sa * sa / n, vb = bb - sb * sb / n;
  return va > 0 && vb > 0 ? (ab - sa * sb / n) / std::sqrt(va * vb) : 0;
}

bool IsEmpty(const Facts& facts) {
  return facts.Peak("gpu_utilization").value_or(0) <= 0 &&
         facts.Peak("gpu_memory_copy").value_or(0) <= 0 &&
         facts.Peak("gpu_memory").value_or(0) <= kIdleBytes &&
         facts.P95("cpu").value_or(0) <= kIdleCores &&
         facts.P95("memory").value_or(0) <= kHeldBytes &&
         facts.Mean("network_receive").value_or(0) <= kIdleBytesPerSecond &&
         facts.Mean("disk_read").value_or(0) <= kIdleBytesPerSecond;
}

std::optional<KindOfJob> IdleHolding(const Facts& facts) {
  if (facts.P95("gpu_utilization").value_or(0) > kIdleGpu ||
      facts.P95("cpu").value_or(0) > kIdleCores) {
    return std::nullopt;
  }
  for (const char* name : {"gpu_memory", "memory"}) {
    const auto held = facts.Mean(name);
    if (!held || *held <= kHeldBytes) continue;
    return KindOfJob{
        .kind = JobKind::kIdleHolding,
        .evidence = {
            fmt::format("holds {} of {}", FormatByteCount(*held),
                        std::string_view(name) == "gpu_memory" ? "GPU memory"
                                                               : "memory"),
            fmt::format("{} is idle 95 % of the time",
                        facts.has_gpu() ? "the GPU" : "the CPU")}};
  }
  return std::nullopt;
}

std::optional<KindOfJob> DataBound(const Facts& facts) {
  const double disk = facts.Mean("disk_read").value_or(0);
  const double network = facts.Mean("network_receive").value_or(0);
  const auto busy = facts.Mean(facts.compute());
  if (std::max(disk, network) < kBusyBytesPerSecond || !busy ||
      *busy >= kHalfBusy) {
    return std::nullopt;
  }
  return KindOfJob{
      .kind = JobKind::kDataBound,
      .evidence = {fmt::format("{} {}/s",
                               disk >= network ? "reads from disk at"
                                               : "receives over the network at",
                               FormatByteCount(std::max(disk, network))),
                   fmt::format("{} is {:.2g} on average", facts.compute_words(),
                               *busy)}};
}

std::optional<KindOfJob> Inference(const Facts& facts) {
  const auto& compute = facts.compute_series();
  const SeriesAnalysis* analysis = facts.Find(facts.compute());
  if (!compute || analysis == nullptr) return std::nullopt;
  const double step = analysis->summary->step.count();
  for (const auto& [name, words, traffic] :
       {std::tuple{"network_receive", "received",
                   &facts.series().network_receive},
        std::tuple{"network_transmit", "sent",
                   &facts.series().network_transmit}}) {
    if (!*traffic || facts.Mean(name).value_or(0) <= kIdleBytesPerSecond) {
      continue;
    }
    const double correlation = CorrelationOf(*compute, **traffic, step);
    if (correlation < kLeastCorrelation) continue;
    return KindOfJob{
        .kind = JobKind::kInference,
        .evidence = {fmt::format("{} follows the bytes {} (correlation {:.2f})",
                                 facts.compute_words(), words, correlation)}};
  }
  for (const SeriesPeriod& period : analysis->periods) {
    if (period.length.count() < kLongestStep) continue;
    return KindOfJob{.kind = JobKind::kInference,
                     .evidence = {fmt::format(
                         "{} follows the time of day: it repeats "
                         "every {}",
                         facts.compute_words(), DurationText(period.length))}};
  }
  return std::nullopt;
}

std::optional<KindOfJob> Training(const Facts& facts) {
  for (const auto& [name, words] :
       {std::pair{facts.compute(), facts.compute_words()},
        std::pair{std::string_view("gpu_memory_copy"),
                  std::string_view("GPU memory traffic")}}) {
    const SeriesAnalysis* analysis = facts.Find(name);
    if (analysis == nullptr) continue;
    for (const SeriesPeriod& period : analysis->periods) {
      if (period.length.count() >= kLongestStep) continue;
      return KindOfJob{.kind = JobKind::kTraining,
                       .evidence = {fmt::format(
                           "{} repeats every {} (confidence {:.2f})", words,
                           DurationText(period.length), period.confidence)}};
    }
  }
  const auto busy = facts.Mean("gpu_utilization");
  if (!busy || *busy < kSaturated) return std::nullopt;
  return KindOfJob{
      .kind = JobKind::kTraining,
      .evidence = {fmt::format("the GPU is busy {:.0f} % of the time, whatever "
                               "the network does",
                               100 * *busy)}};
}

}  // namespace

KindOfJob FindKindOfJob(const JobSeries& series,
                        const std::vector<NamedAnalysis>& analyses) {
  const Facts facts(series, analyses);
  if (facts.Find("gpu_utilization") == nullptr &&
      facts.Find("gpu_memory_copy") == nullptr &&
      facts.Find("cpu") == nullptr) {
    return {.evidence = {"neither GPU nor CPU was measured"}};
  }
  if (IsEmpty(facts)) {
    return {.kind = JobKind::kEmpty, .evidence = {"nothing is used"}};
  }
  if (auto kind = IdleHolding(facts)) return *kind;
  if (auto kind = DataBound(facts)) return *kind;
  // A period that follows requests is not one of training steps.
  if (auto kind = Inference(facts)) return *kind;
  if (auto kind = Training(facts)) return *kind;
  return {.evidence = {fmt::format("{} neither repeats nor follows the network",
                                   facts.compute_words())}};
}

}  // namespace mete
