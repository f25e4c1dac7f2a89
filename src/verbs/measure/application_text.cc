#include "measure/application_text.h"

#include <fmt/format.h>

#include <algorithm>

#include <optional>

#include "domain/run_json.h"
#include "domain/run_words.h"
#include "measure/pin.h"
#include "measure/repeat_summary.h"
#include "measure/run_table.h"
#include "support/clock.h"
#include "support/json.h"
#include "support/text.h"
#include "support/units.h"

namespace mete {
namespace {

std::string CpuLine(const ApplicationDetails& results) {
  const ResourceUsage& usage = results.usage;
  if (!usage.cpu) return "";
  std::string line = "CPU " + FormatSeconds(*usage.cpu);
  if (results.duration > Seconds(0)) {
    line += fmt::format(" ({:.2f} cores)", *usage.cpu / *results.duration);
  }
  // cgroup v1 and /proc count these two in steps of 10 ms.
  bool meaningful = usage.cpu->count() >= 0.1;
  if (meaningful && usage.cpu_user && usage.cpu_system) {
    line += fmt::format(", user {}, system {}", FormatSeconds(*usage.cpu_user),
                        FormatSeconds(*usage.cpu_system));
  }
  if (usage.periods.value_or(0) > 0 && usage.throttled_periods) {
    line += fmt::format(", throttled in {:.0f} % of the periods",
                        100.0 * static_cast<double>(*usage.throttled_periods) /
                            static_cast<double>(*usage.periods));
  }
  return line;
}

std::string MemoryLine(const ResourceUsage& usage) {
  if (!usage.memory_peak) return "";
  std::string line = "memory peak " + FormatBytes(*usage.memory_peak);
  std::vector<std::string> parts;
  auto add = [&](const char* name, const std::optional<Bytes>& part) {
    if (part) parts.push_back(fmt::format("{} {}", name, FormatBytes(*part)));
  };
  add("anonymous", usage.memory_anonymous);
  add("files", usage.memory_file);
  add("kernel", usage.memory_kernel);
  if (!parts.empty()) {
    line += fmt::format(" (at samples up to: {})", fmt::join(parts, ", "));
  }
  if (usage.resident_peak) {
    line += ", largest process " + FormatBytes(*usage.resident_peak);
  }
  if (usage.proportional_memory) {
    line += ", PSS " + FormatBytes(*usage.proportional_memory);
    if (usage.proportional_at) {
      line += " at " + FormatSeconds(*usage.proportional_at);
    }
  }
  if (usage.swap && usage.swap->count > 0) {
    line += ", swap " + FormatBytes(*usage.swap);
  }
  if (usage.major_faults) {
    line += ", " + Counted(*usage.major_faults, "major page fault");
  }
  if (usage.oom_kills.value_or(0) > 0) {
    line += fmt::format(", {} killed for lack of memory", *usage.oom_kills);
  }
  return line;
}

std::string DiskLine(const ResourceUsage& usage) {
  if (!usage.disk_read && !usage.disk_written) return "";
  std::vector<std::string> parts;
  if (usage.disk_read) parts.push_back("read " + FormatBytes(*usage.disk_read));
  if (usage.disk_written) {
    parts.push_back("written " + FormatBytes(*usage.disk_written));
  }
  return fmt::format("disk {}", fmt::join(parts, ", "));
}

std::string NetworkLine(const ResourceUsage& usage) {
  if (!usage.network_received || !usage.network_sent) return "";
  return fmt::format("network received {}, sent {} (at the last sample)",
                     FormatBytes(*usage.network_received),
                     FormatBytes(*usage.network_sent));
}

// "12.3 G instructions (1.42 per cycle), 3.10 % of 45.6 M cache references
// missed, 1.23 M branches mispredicted"
std::string CountersLine(const HardwareCounts& counts) {
  std::vector<std::string> parts;
  auto number = [](uint64_t count) {
    return FormatScaled(static_cast<double>(count));
  };
  auto over = [](uint64_t part, uint64_t whole) {
    return static_cast<double>(part) / static_cast<double>(whole);
  };
  if (counts.instructions) {
    std::string part = number(*counts.instructions) + " instructions";
    if (counts.cycles.value_or(0) > 0) {
      part += fmt::format(" ({:.2f} per cycle)",
                          over(*counts.instructions, *counts.cycles));
    }
    parts.push_back(part);
  }
  if (counts.cache_misses && counts.cache_references.value_or(0) > 0) {
    parts.push_back(
        fmt::format("{:.2f} % of {} cache references missed",
                    100 * over(*counts.cache_misses, *counts.cache_references),
                    number(*counts.cache_references)));
  }
  if (counts.branch_misses) {
    parts.push_back(number(*counts.branch_misses) + " branches mispredicted");
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

// "GPU (NVIDIA A2) 40 % in use, at most 60 %, memory peak 900 MiB of 16.0 GiB
// (300 MiB by the application), 25 J"
std::string GpuLine(const GpuSummary& gpu) {
  std::vector<std::string> parts;
  if (gpu.mean_utilization && gpu.peak_utilization) {
    parts.push_back(fmt::format("{:.0f} % in use, at most {:.0f} %",
                                100 * *gpu.mean_utilization,
                                100 * *gpu.peak_utilization));
  }
  if (gpu.peak_memory) {
    std::string part = "memory peak " + FormatBytes(*gpu.peak_memory);
    if (gpu.total_memory) part += " of " + FormatBytes(*gpu.total_memory);
    if (gpu.application_peak_memory) {
      part += " (" + FormatBytes(*gpu.application_peak_memory) +
              " by the application)";
    }
    parts.push_back(part);
  }
  if (gpu.energy) {
    parts.push_back(fmt::format("{:.3g} J", gpu.energy->count));
  }
  return fmt::format("GPU ({}){}{}", fmt::join(gpu.names, ", "),
                     parts.empty() ? "" : " ", fmt::join(parts, ", "));
}

std::string EnergyLine(const ApplicationDetails& results) {
  if (!results.energy) return "";
  return fmt::format("energy of the whole machine {:.3g} J ({})",
                     results.energy->count, results.energy_source);
}

std::string SamplingLine(const ApplicationDetails& results) {
  const Sampling& sampling = results.sampling;
  std::string samples =
      sampling.taken == 0
          ? "no samples: the command ended before the first one"
          : fmt::format("{} at {:g} Hz ({} missed, max delay {})",
                        Counted(sampling.taken, "sample"), sampling.hertz,
                        FormatCount(sampling.missed),
                        FormatSeconds(sampling.worst_delay));
  return fmt::format("{}; source: {}; mete used {} of CPU time", samples,
                     results.accounting, FormatSeconds(sampling.own_cpu));
}

// "frame: 29.97 a second, p50 1.2 ms, p95 …, 60 in all"
std::string MetricLine(const std::string& name, const AppMetric& metric) {
  auto format = [&](double value) {
    return metric.kind == AppMetricKind::kTimer ? FormatSeconds(value)
                                                : fmt::format("{:.4g}", value);
  };
  std::string line = name + ":";
  if (metric.rate_hz) line += fmt::format(" {:.4g} a second,", *metric.rate_hz);
  if (metric.p50 && metric.p95 && metric.p99) {
    line += fmt::format(" p50 {}, p95 {}, p99 {},", format(*metric.p50),
                        format(*metric.p95), format(*metric.p99));
  }
  line += " " + FormatCount(metric.count) + " in all";
  if (metric.dropped > 0) {
    line += ", " + FormatCount(metric.dropped) + " lost";
  }
  return line;
}

std::string SummaryLine(const char* name,
                        const std::optional<ValueSummary>& summary,
                        std::string (*format)(double)) {
  if (!summary) return "";
  std::string line = fmt::format("{} {} median", name, format(summary->p50));
  line += summary->interval
              ? fmt::format(" ({} to {}, 95 %)", format(summary->interval->low),
                            format(summary->interval->high))
              : fmt::format(" ({} to {}; too few runs for an interval)",
                            format(summary->min), format(summary->max));
  return line;
}

}  // namespace

std::string ApplicationText(const Run& run) {
  std::string answer = fmt::format(
      "{} on {}: {}", ShortenMiddle(run.workload.name, 40),
      ShortenMiddle(run.device_name, 30), ToWords(run.outcome.kind));
  std::string text;
  const ApplicationDetails& results = *run.application();
  // Observed, not run: the detail says for how long and whether it ended.
  const bool observed = run.workload.kind == WorkloadKind::kService &&
                        run.outcome.kind == OutcomeKind::kCompleted;
  if (observed) {
    answer =
        fmt::format("{} on {}: {}", ShortenMiddle(run.workload.name, 40),
                    ShortenMiddle(run.device_name, 30), run.outcome.detail);
  } else {
    if (results.duration) {
      answer += " after " + FormatSeconds(*results.duration);
    }
    answer += DetailSuffix(run.outcome);
  }
  text += Wrapped(answer);
  if (results.started()) {
    text += Wrapped(CpuLine(results)) + Wrapped(MemoryLine(results.usage)) +
            Wrapped(CountersLine(results.usage.hardware)) +
            Wrapped(DiskLine(results.usage)) +
            Wrapped(NetworkLine(results.usage)) + Wrapped(EnergyLine(results));
    if (results.gpu) text += Wrapped(GpuLine(*results.gpu));
    for (const auto& [name, metric] : results.app_metrics) {
      text += Wrapped(MetricLine(name, metric));
    }
  }
  text += Wrapped(LimitsLine(run));
  if (results.started()) {
    for (const std::string& note : results.notes) {
      text += Wrapped("note: " + note);
    }
    text += Wrapped(SamplingLine(results));
    if (!results.samples_file.empty()) {
      text += "samples " + results.samples_file + "\n";
    }
    if (!results.log_file.empty()) text += "output " + results.log_file + "\n";
  }
  return text + fmt::format("run {}, {}\n", run.id, FormatUtc(run.started_at));
}

std::string RepeatText(const std::vector<Run>& runs) {
  std::string text;
  for (size_t i = 0; i < runs.size(); ++i) {
    const Run& run = runs[i];
    std::string line = fmt::format("{}: {}", i + 1, ToWords(run.outcome.kind));
    if (const NetworkDetails* network = run.network()) {
      if (network->latency) {
        line += ", " + FormatSeconds(network->latency->p50) + " median, " +
                ToWords(network->verdict.kind);
      }
    } else if (const auto& duration = run.application()->duration) {
      line += " after " + FormatSeconds(*duration);
    }
    // That of a network covers only the timed inferences.
    std::optional<Seconds> cpu = run.cpu_time;
    if (run.network() && run.process()) cpu = run.process()->usage.cpu;
    if (cpu) line += ", CPU " + FormatSeconds(*cpu);
    if (run.peak_rss) line += ", memory " + FormatBytes(*run.peak_rss);
    text += Wrapped(line + ", run " + run.id.substr(0, 10));
  }
  RepeatSummary summary = SummariseRepeats(runs);
  return text + "\n" +
         Wrapped(
             SummaryLine("latency", summary.latency_seconds, FormatSeconds)) +
         Wrapped(SummaryLine("time", summary.seconds, FormatSeconds)) +
         Wrapped(SummaryLine("CPU", summary.cpu_seconds, FormatSeconds)) +
         Wrapped(
             SummaryLine("memory peak", summary.peak_bytes, FormatByteCount));
}

Json RepeatJson(const std::vector<Run>& runs) {
  Json json;
  json["runs"] = Json::array();
  uint64_t completed = 0;
  for (const Run& run : runs) {
    json["runs"].push_back(RunToJson(run));
    completed += run.outcome.kind == OutcomeKind::kCompleted ? 1 : 0;
  }
  json["summary"] = RepeatSummaryToJson(SummariseRepeats(runs));
  json["summary"]["completed"] = completed;
  return json;
}

std::string ProgressText(const ApplicationProgress& progress) {
  std::string line = fmt::format("running: {:.0f} s", progress.elapsed.count());
  if (progress.at_most) {
    line += fmt::format(" of at most {:.0f} s", progress.at_most->count());
  }
  if (progress.usage.memory) {
    line += ", memory " + FormatBytes(*progress.usage.memory);
  }
  if (progress.usage.cpu) {
    line += ", CPU " + FormatSeconds(*progress.usage.cpu);
  }
  return line;
}

std::string DetailSuffix(const RunOutcome& outcome) {
  const std::string& detail = outcome.detail;
  if (detail.empty()) return "";
  // JudgeEnding puts the limit first.
  size_t limit = detail.find(';');
  if (outcome.kind == OutcomeKind::kTimedOut && limit != std::string::npos) {
    return " (" + detail.substr(0, limit) + ")" + detail.substr(limit);
  }
  return ", " + detail;
}

std::string LimitsLine(const Run& run) {
  const Limits& limits = run.limits;
  std::string line;
  auto add = [&](const std::string& limit, EnforcedLimit kind) {
    line += (line.empty() ? "limits: " : ", ") + limit;
    if (!IsApplied(run, kind)) line += " (not applied)";
  };
  if (limits.memory) {
    add("memory " + FormatBytes(*limits.memory), EnforcedLimit::kMemory);
  }
  if (limits.cpus) {
    add(FormatCpus(static_cast<double>(limits.cpus->count) / 1e3),
        EnforcedLimit::kCpus);
  }
  if (limits.cpuset) add("cores " + *limits.cpuset, EnforcedLimit::kCpuset);
  // Applied, or the run would not have started.
  if (limits.pin) {
    line += (line.empty() ? "limits: " : ", ") + DescribePin(*limits.pin);
  }
  if (limits.processes) {
    add(Counted(*limits.processes, "process", "processes"),
        EnforcedLimit::kProcesses);
  }
  return line;
}

bool IsApplied(const Run& run, EnforcedLimit limit) {
  if (!run.process()) return true;
  const auto& missing = run.process()->missing_limits;
  return std::ranges::find(missing, limit) == missing.end();
}

bool AreLimitsApplied(const Run& run) {
  return !run.process() || run.process()->missing_limits.empty();
}

}  // namespace mete
