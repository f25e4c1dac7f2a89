#include "measure/run_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>

#include "domain/run_json.h"
#include "domain/run_words.h"
#include "measure/application_text.h"
#include "measure/pin.h"
#include "measure/process_repeats.h"
#include "support/clock.h"
#include "support/json.h"
#include "support/text.h"
#include "support/units.h"

namespace mete {
namespace {

// "8.68 ms to 8.74 ms"
std::string FormatRange(std::optional<Seconds> low,
                        std::optional<Seconds> high) {
  if (!low || !high) return "";
  return FormatSeconds(*low) + " to " + FormatSeconds(*high);
}

std::string_view Unit(int64_t batch) {
  return batch > 1 ? "items" : "inferences";
}

// The verdict as the end of a sentence.
std::string FormatJudgement(const Run& run) {
  uint64_t iterations = run.iterations();
  std::string count = Counted(iterations, "iteration");
  if (run.outcome.kind != OutcomeKind::kCompleted) {
    return ToWords(run.outcome.kind) + " after " + count;
  }
  const VerdictKind verdict = run.verdict().kind;
  return ToWords(verdict) +
         (verdict == VerdictKind::kTooFewSamples ? ": " : " after ") + count;
}

// The latency on the first line, throughput and verdict on the second.
std::string FormatAnswer(const Run& run) {
  std::string first = ShortenMiddle(run.workload.name, 40) + " on " +
                      ShortenMiddle(run.device_name, 30) + ": ";
  std::string second = FormatJudgement(run);
  const NetworkDetails& network = *run.network();
  if (network.throughput) {
    second = fmt::format("{} {}/s, {}", FormatScaled(*network.throughput),
                         Unit(run.workload.batch), second);
  }
  if (!network.latency) return Wrapped(first + second);
  const LatencySummary& latency = *network.latency;
  first += FormatSeconds(latency.p50) + " median";
  std::string range = FormatRange(latency.p50_low, latency.p50_high);
  if (!range.empty()) first += " (" + range + ", 95 %)";
  first += ", p99 " + FormatSeconds(latency.p99) + ",";
  return Wrapped(first) + Wrapped(second);
}

std::string LatencyTable(const LatencySummary& latency) {
  Table table({{.heading = "latency"},
               {.heading = "value", .align = Align::kRight},
               {.heading = "95 % interval"}});
  auto row = [&](const char* name, Seconds value, const std::string& range) {
    table.AddRow({name, FormatSeconds(value), range});
  };
  row("mean", latency.mean, "");
  row("min", latency.min, "");
  row("p50", latency.p50, FormatRange(latency.p50_low, latency.p50_high));
  row("p90", latency.p90, "");
  row("p95", latency.p95, "");
  row("p99", latency.p99, FormatRange(latency.p99_low, latency.p99_high));
  row("max", latency.max, "");
  return table.Text();
}

// "START: 30.4 us mean (29.1 us to 31.7 us, 95 %),", then the spread with the
// verdict and its explanation on lines of their own.
std::string FormatProcesses(const std::string& start,
                            const ProcessRepeats& repeats) {
  std::string mean = FormatSeconds(repeats.mean) + " mean";
  if (repeats.low && repeats.high) {
    mean += " (" + FormatRange(Seconds(*repeats.low), Seconds(*repeats.high)) +
            ", 95 %)";
  }
  auto [least, most] = std::ranges::minmax_element(repeats.medians);
  std::string spread =
      fmt::format("medians {} (spread {:.1f} %), {}",
                  FormatRange(Seconds(*least), Seconds(*most)),
                  100 * SpreadOf(repeats), ToWords(repeats.verdict.kind));
  return Wrapped(start + ": " + mean + ",") + Wrapped(spread) +
         Wrapped(repeats.verdict.explanation);
}

// "in a process of its own with limits: memory 512 MiB, 1 CPU; 3.21 s,
// throttled in 5 % of the periods"
std::string FormatProcess(const Run& run, const ApplicationDetails& process) {
  std::string text = "in a process of its own";
  if (std::string limits = LimitsLine(run); !limits.empty()) {
    text += " with " + limits;
  }
  if (process.duration) text += "; " + FormatSeconds(*process.duration);
  const ResourceUsage& usage = process.usage;
  if (usage.periods.value_or(0) > 0 && usage.throttled_periods) {
    text += fmt::format(", throttled in {:.0f} % of the periods",
                        100 * static_cast<double>(*usage.throttled_periods) /
                            static_cast<double>(*usage.periods));
  }
  return text;
}

// The conditions of the measurement, one sentence per topic.
std::string FormatCircumstances(const Run& run) {
  const NetworkDetails& network = *run.network();
  std::string text;
  std::string fed = "input";
  for (const std::string& shape : run.workload.input_shapes) fed += " " + shape;
  // A process that ended too early has neither inputs nor an engine.
  if (!run.workload.input_shapes.empty()) {
    text += Wrapped(fed + fmt::format(" ({}, seed {})",
                                      run.workload.input_origin, run.seed));
  }
  std::string used =
      run.engine.name.empty()
          ? "not measured"
          : fmt::format(
                "{} {}, {} excluded", run.engine.name, run.engine.version,
                Counted(network.warmup_iterations, "warm-up iteration"));
  if (run.limits.threads) {
    used +=
        ", " + Counted(static_cast<uint64_t>(*run.limits.threads), "thread");
  }
  // Otherwise it is one of the limits of the process.
  if (run.limits.pin && !run.process())
    used += ", " + DescribePin(*run.limits.pin);
  if (network.load_time) {
    used += ", loaded in " + FormatSeconds(*network.load_time);
  }
  if (run.cpu_time) used += ", CPU " + FormatSeconds(*run.cpu_time);
  if (run.peak_rss) used += ", peak memory " + FormatBytes(*run.peak_rss);
  if (network.autocorrelation_time && *network.autocorrelation_time > 1) {
    used += fmt::format(", autocorrelation time {:.1f}",
                        *network.autocorrelation_time);
  }
  text += Wrapped(used);
  if (const ApplicationDetails* process = run.process()) {
    text += Wrapped(FormatProcess(run, *process));
    for (const std::string& note : process->notes) {
      text += Wrapped("note: " + note);
    }
  }
  return text + fmt::format("run {}, {}\n", run.id, FormatUtc(run.started_at));
}

// "8.71 ms ±0.3%"
std::string MedianCell(const LatencySummary& latency) {
  std::string text = FormatSeconds(latency.p50);
  if (!latency.p50_low || !latency.p50_high || latency.p50 <= Seconds(0)) {
    return text;
  }
  double half = std::max(latency.p50 - *latency.p50_low,
                         *latency.p50_high - latency.p50) /
                latency.p50 * 100;
  return text + (half < 9.95 ? fmt::format(" ±{:.1f}%", half)
                             : fmt::format(" ±{:.0f}%", half));
}

// The latency of a network, the service time of a service under load, or the
// duration of an application's run.
std::string TimeCell(const Run& run) {
  if (const NetworkDetails* network = run.network()) {
    return network->latency ? MedianCell(*network->latency) : "";
  }
  if (const auto& service = run.application()->service) {
    const auto& median = service->observation.service.p50;
    return median ? FormatSeconds(*median) : "";
  }
  const auto& duration = run.application()->duration;
  return duration ? FormatSeconds(*duration) : "";
}

template <typename T>
std::string CsvCell(const std::optional<T>& value) {
  return value ? fmt::format("{}", *value) : "";
}
std::string CsvCell(const std::optional<Seconds>& time) {
  return time ? fmt::format("{}", time->count()) : "";
}
std::string CsvCell(const std::optional<Bytes>& bytes) {
  return bytes ? std::to_string(bytes->count) : "";
}

std::vector<std::string> CsvRow(const Run& run) {
  // The cells of the other workload kind stay empty.
  static const NetworkDetails kNoNetwork;
  static const ApplicationDetails kNoApplication;
  const NetworkDetails& network = run.network() ? *run.network() : kNoNetwork;
  const ApplicationDetails& application =
      run.process() ? *run.process() : kNoApplication;
  std::vector<std::string> cells = {run.id,
                                    FormatUtc(run.started_at),
                                    run.workload.name,
                                    run.workload.sha256,
                                    std::to_string(run.workload.batch),
                                    run.device_name,
                                    CsvCell(run.limits.threads),
                                    std::string(ToString(run.outcome.kind)),
                                    std::string(ToString(run.verdict().kind)),
                                    std::to_string(run.iterations()),
                                    std::to_string(network.warmup_iterations)};
  const std::optional<LatencySummary>& l = network.latency;
  auto number = [&](auto member) {
    cells.push_back(l ? CsvCell(std::optional<Seconds>((*l).*member)) : "");
  };
  number(&LatencySummary::mean);
  number(&LatencySummary::min);
  number(&LatencySummary::p50);
  number(&LatencySummary::p50_low);
  number(&LatencySummary::p50_high);
  number(&LatencySummary::p90);
  number(&LatencySummary::p95);
  number(&LatencySummary::p99);
  number(&LatencySummary::p99_low);
  number(&LatencySummary::p99_high);
  number(&LatencySummary::max);
  cells.push_back(CsvCell(network.throughput));
  cells.push_back(CsvCell(run.cpu_time));
  cells.push_back(CsvCell(run.peak_rss));
  cells.push_back(CsvCell(network.load_time));
  cells.push_back(CsvCell(network.autocorrelation_time));
  cells.push_back(run.engine.name);
  cells.push_back(run.engine.version);
  cells.push_back(std::to_string(run.seed));
  cells.emplace_back(ToString(run.workload.kind));
  cells.push_back(CsvCell(run.limits.memory));
  cells.push_back(run.limits.cpus ? std::to_string(run.limits.cpus->count)
                                  : "");
  cells.push_back(CsvCell(application.duration));
  cells.push_back(CsvCell(application.exit_code));
  cells.push_back(CsvCell(application.usage.resident_peak));
  return cells;
}

// Eight characters: "half*" for "half (emulated)".
std::string DeviceCell(const std::string& name) {
  constexpr std::string_view kEmulated = " (emulated)";
  if (!name.ends_with(kEmulated)) return ShortenMiddle(name, 8);
  return ShortenMiddle(name.substr(0, name.size() - kEmulated.size()), 7) + "*";
}

// Empty if it has none.
std::string TailCell(const Run& run) {
  if (const NetworkDetails* network = run.network()) {
    return network->latency ? FormatSeconds(network->latency->p99) : "";
  }
  const auto& service = run.application()->service;
  if (!service || !service->observation.service.p99) return "";
  return FormatSeconds(*service->observation.service.p99);
}

// Says why the times of the layers and the latency may contradict each other.
std::string LayersHeading(const NetworkDetails& network) {
  Seconds sum{0};
  for (const LayerTime& layer : network.layers) sum += layer.mean;
  std::string times = FormatSeconds(sum) + " in all";
  if (network.latency) {
    times += "; the median latency without it is " +
             FormatSeconds(network.latency->p50);
  }
  return "Layers, from separate calls with the engine's profiler, which costs "
         "time:\n" +
         times + "\n";
}

}  // namespace

std::string RunText(const Run& run, size_t top) {
  const NetworkDetails* network = run.network();
  if (!network) return ApplicationText(run);
  std::string text = FormatAnswer(run);
  if (!network->verdict.explanation.empty()) {
    text += Wrapped(network->verdict.explanation);
  }
  if (!run.outcome.detail.empty()) text += Wrapped(run.outcome.detail);
  if (const auto& repeats = network->repeats) {
    text += FormatProcesses(fmt::format("process {} of {}", repeats->index,
                                        repeats->medians.size()),
                            *repeats);
  }
  for (const std::string& note : network->notes) {
    text += Wrapped("note: " + note);
  }
  if (network->latency) text += "\n" + LatencyTable(*network->latency);
  text += "\n" + FormatCircumstances(run);
  if (!network->layers.empty()) {
    text += "\n" + LayersHeading(*network);
    text += "\n" + OperatorTable(network->layers).Text();
    text += "\n" + LayerTable(network->layers, top).Text();
  }
  return text;
}

// The verdict takes up to fifteen columns, so a line has no space for both the
// device and p99. The device says nothing if it is the same everywhere.
Table RunListTable(const std::vector<Run>& runs) {
  const bool devices = std::ranges::any_of(runs, [&](const Run& run) {
    return run.device_name != runs.front().device_name;
  });
  std::vector<Table::Column> columns = {
      {.heading = "run"}, {.heading = "started"}, {.heading = "workload"}};
  if (devices) columns.push_back({.heading = "device"});
  columns.push_back({.heading = "median"});
  if (!devices) columns.push_back({.heading = "p99"});
  columns.push_back({.heading = "verdict"});
  Table table(std::move(columns));
  for (const Run& run : runs) {
    // 2024-05-01T12:30:00Z -> 05-01 12:30. The first ten digits of the id
    // encode its time in milliseconds and are enough to find the run.
    std::string utc = FormatUtc(run.started_at);
    std::vector<std::string> cells = {
        run.id.substr(0, 10), utc.substr(5, 5) + " " + utc.substr(11, 5),
        ShortenMiddle(run.workload.name, 12)};
    if (devices) cells.push_back(DeviceCell(run.device_name));
    cells.push_back(TimeCell(run));
    if (!devices) cells.push_back(TailCell(run));
    cells.push_back(ToWords(run));
    table.AddRow(std::move(cells));
  }
  return table;
}

std::string NetworkRepeatText(const std::vector<Run>& runs) {
  const Run& first = runs.front();
  std::string text = FormatProcesses(
      fmt::format("{} on {}, {}", ShortenMiddle(first.workload.name, 40),
                  ShortenMiddle(first.device_name, 30),
                  Counted(runs.size(), "process", "processes")),
      *first.network()->repeats);
  for (const std::string& note : first.network()->notes) {
    text += Wrapped("note: " + note);
  }
  Table table({{.heading = "process", .align = Align::kRight},
               {.heading = "median"},
               {.heading = "p99", .align = Align::kRight},
               {.heading = "iterations", .align = Align::kRight},
               {.heading = "verdict"},
               {.heading = "run"}});
  for (size_t i = 0; i < runs.size(); ++i) {
    const Run& run = runs[i];
    table.AddRow({std::to_string(i + 1), TimeCell(run),
                  FormatSeconds(run.network()->latency->p99),
                  FormatCount(run.iterations()), ToWords(run),
                  run.id.substr(0, 10)});
  }
  return text + "\n" + table.Text() + "\nprocess 1:\n" +
         FormatCircumstances(first);
}

Json NetworkRepeatJson(const std::vector<Run>& runs) {
  Json json;
  json["runs"] = Json::array();
  for (const Run& run : runs) json["runs"].push_back(RunToJson(run));
  json["summary"] = json["runs"].front().at("repeats");
  json["summary"].erase("index");
  json["summary"]["completed"] =
      std::ranges::count_if(runs, [](const Run& run) {
        return run.outcome.kind == OutcomeKind::kCompleted;
      });
  return json;
}

Table OperatorTable(const std::vector<LayerTime>& layers) {
  struct Sum {
    std::string op;
    size_t nodes = 0;
    Seconds mean{0};
    double share = 0;
  };
  std::map<std::string, Sum> by_operator;
  for (const LayerTime& layer : layers) {
    if (layer.op == "Constant") continue;
    Sum& sum = by_operator[layer.op];
    sum.op = layer.op;
    ++sum.nodes;
    sum.mean += layer.mean;
    sum.share += layer.share;
  }
  std::vector<Sum> sums;
  for (auto& [op, sum] : by_operator) sums.push_back(std::move(sum));
  std::ranges::stable_sort(sums, std::greater(), &Sum::mean);
  Table table({{.heading = "operator"},
               {.heading = "nodes", .align = Align::kRight},
               {.heading = "mean", .align = Align::kRight},
               {.heading = "share", .align = Align::kRight}});
  for (const Sum& sum : sums) {
    table.AddRow({ShortenMiddle(sum.op, 40), std::to_string(sum.nodes),
                  FormatSeconds(sum.mean),
                  fmt::format("{:.1f} %", sum.share * 100)});
  }
  return table;
}

Table LayerTable(const std::vector<LayerTime>& layers, size_t top) {
  Table table({{.heading = "layer"},
               {.heading = "op"},
               {.heading = "mean", .align = Align::kRight},
               {.heading = "stddev", .align = Align::kRight},
               {.heading = "share", .align = Align::kRight},
               {.heading = "calls", .align = Align::kRight}});
  std::vector<LayerTime> sorted = layers;
  std::erase_if(sorted,
                [](const LayerTime& layer) { return layer.op == "Constant"; });
  std::ranges::stable_sort(sorted, std::greater(), &LayerTime::mean);
  if (sorted.size() > top) sorted.resize(top);
  for (const LayerTime& layer : sorted) {
    table.AddRow({ShortenMiddle(layer.name, 26), ShortenMiddle(layer.op, 16),
                  FormatSeconds(layer.mean), FormatSeconds(layer.stddev),
                  fmt::format("{:.1f} %", layer.share * 100),
                  std::to_string(layer.calls)});
  }
  return table;
}

std::string RunCsv(const std::vector<Run>& runs) {
  std::vector<Table::Column> columns;
  for (const char* heading : {"run_id",
                              "started_at",
                              "workload",
                              "sha256",
                              "batch",
                              "device",
                              "threads",
                              "outcome",
                              "verdict",
                              "iterations",
                              "warmup_iterations",
                              "mean",
                              "min",
                              "p50",
                              "p50_low",
                              "p50_high",
                              "p90",
                              "p95",
                              "p99",
                              "p99_low",
                              "p99_high",
                              "max",
                              "throughput",
                              "cpu_seconds",
                              "peak_rss_bytes",
                              "load_seconds",
                              "autocorrelation_time",
                              "engine",
                              "engine_version",
                              "seed",
                              "kind",
                              "memory_limit_bytes",
                              "cpu_limit_millicores",
                              "duration_seconds",
                              "exit_code",
                              "resident_peak_bytes"}) {
    columns.push_back({.heading = heading});
  }
  Table table(std::move(columns));
  for (const Run& run : runs) table.AddRow(CsvRow(run));
  return table.Csv();
}

}  // namespace mete
