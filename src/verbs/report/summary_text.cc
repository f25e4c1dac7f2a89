#include "report/summary_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "domain/run_words.h"
#include "measure/application_text.h"
#include "support/units.h"

namespace mete {
namespace {

using Format = std::function<std::string(double)>;

std::string CoresText(double cores) { return fmt::format("{:.2f}", cores); }
std::string PercentText(double share) {
  return fmt::format("{:.0f} %", 100 * share);
}
std::string PlainText(double value) { return fmt::format("{:.4g}", value); }

std::string Times(uint64_t count) { return Counted(count, "run"); }

// The interval of the median, or the extremes when there are too few runs.
std::string RangeText(const ValueSummary& metric, const Format& format) {
  if (metric.interval) {
    return fmt::format("{} to {} with 95 % confidence, {}",
                       format(metric.interval->low),
                       format(metric.interval->high), Times(metric.runs));
  }
  if (metric.runs > 1) {
    return fmt::format("{} to {} in {}", format(metric.min), format(metric.max),
                       Times(metric.runs));
  }
  return "one run";
}

// The outcome to report first, and how often it occurred.
std::pair<OutcomeKind, uint64_t> Worst(const RepeatSummary& summary) {
  for (OutcomeKind kind : {OutcomeKind::kOutOfMemory, OutcomeKind::kCrashed,
                           OutcomeKind::kFailed, OutcomeKind::kRejected,
                           OutcomeKind::kTimedOut, OutcomeKind::kInterrupted}) {
    auto found = summary.outcomes.find(kind);
    if (found != summary.outcomes.end()) return *found;
  }
  return {OutcomeKind::kCompleted, 0};
}

std::string FindDetail(const ReportedApplication& application,
                       OutcomeKind kind) {
  for (const Run& run : application.runs) {
    if (run.outcome.kind == kind) return run.outcome.detail;
  }
  return "";
}

std::string Capital(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') {
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  }
  return text;
}

// "Ran out of memory in 2 of 3 runs": failures come first.
void JudgeOutcome(const ReportedApplication& application,
                  const RepeatSummary& summary, Judgement& judgement) {
  auto [worst, count] = Worst(summary);
  if (worst == OutcomeKind::kCompleted) {
    judgement.headline =
        summary.seconds ? "Completed in " + FormatSeconds(summary.seconds->p50)
                        : "Completed";
    return;
  }
  bool mild =
      worst == OutcomeKind::kTimedOut || worst == OutcomeKind::kInterrupted;
  judgement.tone = mild ? Tone::kWarning : Tone::kBad;
  judgement.headline = Capital(ToWords(worst));
  size_t all = application.runs.size();
  if (all > 1) {
    judgement.headline += fmt::format(" in {} of {} runs", count, all);
  }
  std::string detail = FindDetail(application, worst);
  if (!detail.empty()) judgement.sentences.push_back(Capital(detail) + ".");
}

void JudgeNeeds(const ReportedApplication& application,
                const RepeatSummary& summary, Judgement& judgement) {
  std::string needs;
  if (summary.cpu_cores) {
    needs = fmt::format("It kept {} CPU cores busy on average",
                        CoresText(summary.cpu_cores->p50));
  }
  if (summary.peak_bytes) {
    needs += needs.empty() ? "It used" : " and used";
    needs +=
        " at most " + FormatByteCount(summary.peak_bytes->max) + " of memory";
    const auto& limit = application.limits.memory;
    if (limit && limit->count > 0) {
      needs += fmt::format(", {} of its limit of {}",
                           PercentText(summary.peak_bytes->max /
                                       static_cast<double>(limit->count)),
                           FormatBytes(*limit));
    }
  }
  if (!needs.empty()) judgement.sentences.push_back(needs + ".");
}

void JudgeThrottling(const ReportedApplication& application,
                     const RepeatSummary& summary, Judgement& judgement) {
  // A few throttled periods are normal during startup.
  constexpr double kNoticeable = 0.05;
  if (!summary.throttled_ratio || summary.throttled_ratio->p50 < kNoticeable) {
    return;
  }
  std::string limit =
      application.limits.cpus
          ? fmt::format(
                "its limit of {:g} CPUs",
                static_cast<double>(application.limits.cpus->count) / 1e3)
          : "a CPU limit";
  judgement.sentences.push_back(fmt::format(
      "It would run faster with more CPU: {} throttled it in {} of the time "
      "slices.",
      limit, PercentText(summary.throttled_ratio->p50)));
  if (judgement.tone == Tone::kGood) judgement.tone = Tone::kWarning;
}

void JudgeMetrics(const RepeatSummary& summary, Judgement& judgement) {
  uint64_t lost = 0;
  for (const auto& [name, metric] : summary.app_metrics) {
    lost += metric.dropped;
    if (metric.kind != AppMetricKind::kRate || !metric.rate_hz) continue;
    judgement.sentences.push_back(fmt::format(
        "It reached {} {} per second ({}).", PlainText(metric.rate_hz->p50),
        name, RangeText(*metric.rate_hz, PlainText)));
  }
  if (lost > 0) {
    judgement.sentences.push_back(
        fmt::format("{} of its events did not arrive, so the reported "
                    "rates are too low.",
                    FormatCount(lost)));
  }
}

// Whether the latencies of the runs answer everything.
bool AllTimed(const std::vector<Run>& runs) {
  return !runs.empty() && std::ranges::all_of(runs, [](const Run& run) {
    return run.network() && run.network()->latency &&
           run.outcome.kind == OutcomeKind::kCompleted;
  });
}

// What the other processes of `mete measure --repeat` add to this one.
void JudgeProcesses(const ProcessRepeats& repeats, Judgement& judgement) {
  auto [least, most] = std::ranges::minmax_element(repeats.medians);
  judgement.sentences.push_back(fmt::format(
      "In {} fresh processes, of which this is number {}, the medians were "
      "between {} and {}.",
      repeats.medians.size(), repeats.index, FormatSeconds(*least),
      FormatSeconds(*most)));
  if (repeats.low && repeats.high) {
    judgement.sentences.push_back(fmt::format(
        "Their mean is {}; with 95 % confidence it lies between {} and {}.",
        FormatSeconds(repeats.mean), FormatSeconds(*repeats.low),
        FormatSeconds(*repeats.high)));
  }
  if (repeats.verdict.kind == VerdictKind::kStable) return;
  judgement.tone = Tone::kWarning;
  judgement.sentences.push_back(
      "This mean is not reliable: " + repeats.verdict.explanation + ".");
}

void JudgeVerdicts(const std::vector<Run>& runs, Judgement& judgement) {
  for (size_t i = 0; i < runs.size(); ++i) {
    const Verdict verdict = runs[i].verdict();
    if (verdict.kind == VerdictKind::kStable) continue;
    judgement.tone = Tone::kWarning;
    std::string which = runs.size() == 1
                            ? "These numbers are"
                            : fmt::format("The numbers of run {} are", i + 1);
    judgement.sentences.push_back(
        which + " not reliable: " + verdict.explanation + ".");
    return;
  }
}

void JudgeLatency(const std::vector<Run>& runs, const RepeatSummary& summary,
                  Judgement& judgement) {
  const ValueSummary& median = *summary.latency_seconds;
  judgement.headline = FormatSeconds(median.p50) + " per inference (median)";
  const LatencySummary& latency = *runs.front().network()->latency;
  if (runs.size() > 1) {
    judgement.sentences.push_back(
        "Medians of its runs: " +
        RangeText(median, [](double s) { return FormatSeconds(s); }) + ".");
  } else if (latency.p50_low && latency.p50_high) {
    judgement.sentences.push_back(fmt::format(
        "The median lies between {} and {} with 95 % confidence.",
        FormatSeconds(*latency.p50_low), FormatSeconds(*latency.p50_high)));
  }
  JudgeVerdicts(runs, judgement);
  // A report of several runs has their spread already.
  const auto& repeats = runs.front().network()->repeats;
  if (runs.size() == 1 && repeats) JudgeProcesses(*repeats, judgement);
}

void AddTile(std::vector<Tile>& tiles, const std::string& label,
             const std::optional<ValueSummary>& metric,
             std::string (*format)(double)) {
  if (!metric) return;
  std::string remark;
  if (metric->interval) {
    remark = fmt::format("{} to {} (95 %, {})", format(metric->interval->low),
                         format(metric->interval->high), Times(metric->runs));
  } else if (metric->runs > 1) {
    remark = "median; " + RangeText(*metric, format);
  }
  tiles.push_back({label, format(metric->p50), remark});
}

std::vector<Tile> LatencyTiles(const std::vector<Run>& runs,
                               const RepeatSummary& summary) {
  std::vector<Tile> tiles;
  AddTile(tiles, "Median latency", summary.latency_seconds, FormatSeconds);
  if (runs.size() == 1) {
    tiles.push_back({"99th percentile",
                     FormatSeconds(runs.front().network()->latency->p99), ""});
  }
  AddTile(tiles, "Inferences per second", summary.throughput, PlainText);
  AddTile(tiles, "CPU cores", summary.cpu_cores, CoresText);
  AddTile(tiles, "Peak memory", summary.peak_bytes, FormatByteCount);
  AddTile(tiles, "Throttled", summary.throttled_ratio, PercentText);
  return tiles;
}

}  // namespace

std::string MetricValue(AppMetricKind kind, double value) {
  return kind == AppMetricKind::kTimer ? FormatSeconds(value)
                                       : PlainText(value);
}

std::string Spread(const ValueSummary& metric, const Format& format) {
  if (metric.runs < 2) return "";
  double low = metric.interval ? metric.interval->low : metric.min;
  double high = metric.interval ? metric.interval->high : metric.max;
  return fmt::format("({} to {})", format(low), format(high));
}

Judgement Judge(const ReportedApplication& application,
                const RepeatSummary& summary) {
  Judgement judgement;
  if (application.runs.empty()) {
    judgement.tone = Tone::kBad;
    judgement.headline = application.failure.empty() ? "Was not started"
                                                     : "Could not be started";
    if (!application.failure.empty()) {
      judgement.sentences.push_back(Capital(application.failure) + ".");
    }
    return judgement;
  }
  if (AllTimed(application.runs)) {
    JudgeLatency(application.runs, summary, judgement);
    JudgeThrottling(application, summary, judgement);
    return judgement;
  }
  JudgeOutcome(application, summary, judgement);
  if (!application.failure.empty()) {
    judgement.tone = Tone::kBad;
    judgement.sentences.push_back(
        "A later run could not be started: " + application.failure + ".");
  }
  JudgeNeeds(application, summary, judgement);
  JudgeMetrics(summary, judgement);
  JudgeThrottling(application, summary, judgement);
  return judgement;
}

std::vector<Tile> MakeTiles(const ReportedApplication& application,
                            const RepeatSummary& summary) {
  if (AllTimed(application.runs)) {
    return LatencyTiles(application.runs, summary);
  }
  std::vector<Tile> tiles;
  AddTile(tiles, "Time", summary.seconds, FormatSeconds);
  for (const auto& [name, metric] : summary.app_metrics) {
    if (metric.kind != AppMetricKind::kRate) continue;
    AddTile(tiles, name + " per second", metric.rate_hz, PlainText);
  }
  AddTile(tiles, "CPU cores", summary.cpu_cores, CoresText);
  AddTile(tiles, "CPU time", summary.cpu_seconds, FormatSeconds);
  AddTile(tiles, "Peak memory", summary.peak_bytes, FormatByteCount);
  AddTile(tiles, "Throttled", summary.throttled_ratio, PercentText);
  AddTile(tiles, "Energy (machine)", summary.energy_joules,
          [](double joules) { return fmt::format("{:.3g} J", joules); });
  return tiles;
}

}  // namespace mete
