#include "sweep/sweep_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <set>

#include "domain/quantity_json.h"
#include "domain/run_json.h"
#include "domain/run_words.h"
#include "domain/sweep_json.h"
#include "support/clock.h"
#include "support/csv.h"
#include "support/json.h"
#include "support/text.h"
#include "support/units.h"

namespace mete {
namespace {

std::string FloorText(const Sweep& sweep, const Floor& floor,
                      std::string (*format)(uint64_t)) {
  if (!floor.smallest && !floor.fails) return "nothing was run";
  if (!floor.smallest) {
    const bool always = floor.failed_runs >= floor.tried_runs;
    return always ? "fails even with " + format(*floor.fails)
                  : fmt::format("failed in {} of {} runs even with {}",
                                floor.failed_runs, floor.tried_runs,
                                format(*floor.fails));
  }
  // Successful runs at the floor, out of those required.
  uint64_t asked = RequiredRuns(sweep.plan);
  uint64_t worked = std::min(floor.runs, asked);
  if (!floor.fails) {
    return fmt::format("works with {}, the lowest limit tried ({} of {})",
                       format(*floor.smallest), worked, Counted(asked, "run"));
  }
  std::string fails = " fails";
  if (floor.failed_runs < floor.tried_runs) {
    fails = fmt::format(" failed in {} of {} runs", floor.failed_runs,
                        floor.tried_runs);
  }
  return fmt::format("needs {} (confirmed {}/{}; {}{})",
                     format(*floor.smallest), worked, asked,
                     format(*floor.fails), fails);
}

// What counted as working, and whether the files had to be read from storage.
std::string ConditionsText(const Sweep& sweep) {
  std::string text;
  if (sweep.plan.slowdown) {
    text += fmt::format(
        "A run works if it takes at most {:g} times as long as with the "
        "loosest limit",
        *sweep.plan.slowdown);
  }
  if (sweep.plan.objective) {
    text += fmt::format("{} {} of a step is at most {}",
                        text.empty() ? "A run works if the" : ", and if the",
                        sweep.plan.objective->statistic,
                        FormatSeconds(sweep.plan.objective->at_most));
  }
  if (!text.empty()) text += ". ";
  if (!sweep.plan.cold) {
    return text +
           "The workload's files could be in the page cache and then cost it "
           "no memory: a machine that has just started needs more.";
  }
  text +=
      "Before each run, the workload's files were evicted from the page "
      "cache";
  Bytes most;
  for (const SweepPoint& point : sweep.points) {
    most = std::max(most, point.cached.value_or(Bytes{}));
  }
  if (most.count > 0) {
    text += fmt::format(
        ", except {} that other programs use; these are not part of the peak",
        FormatBytes(most));
  }
  return text + ".";
}

// "inference", or "" if the workload has no steps.
std::string StepName(const Sweep& sweep) {
  for (const SweepPoint& point : sweep.points) {
    if (point.worked && point.steps) return point.steps->name;
  }
  return "";
}

// "0.4 and 1 CPU: cannot tell which is faster".
std::string CannotTellText(const std::vector<uint64_t>& fastest) {
  constexpr size_t kMostNamed = 4;
  if (fastest.size() < 2) return "";
  auto number = [](uint64_t millicores) {
    return fmt::format("{:g}", static_cast<double>(millicores) / 1000);
  };
  const std::string last = CpusText(fastest.front());  // the most
  if (fastest.size() > kMostNamed) {
    return fmt::format("{} to {} ({} limits): cannot tell which is fastest",
                       number(fastest.back()), last, fastest.size());
  }
  std::vector<std::string> others;
  for (size_t i = fastest.size(); i-- > 1;)
    others.push_back(number(fastest[i]));
  return fmt::format("{} and {}: cannot tell which is {}",
                     fmt::join(others, ", "), last,
                     fastest.size() == 2 ? "faster" : "fastest");
}

// "0.1 CPUs: not compared, because the time has no interval".
std::string NotComparedText(const std::vector<uint64_t>& millicores) {
  if (millicores.empty()) return "";
  std::vector<std::string> limits;
  for (uint64_t each : millicores) limits.push_back(CpusText(each));
  return fmt::format("{}: not compared, because the time has no interval",
                     fmt::join(limits, ", "));
}

// A sentence with the times at the most and at the fewest CPUs, which show the
// trend, and one that says how much of it is certain.
std::string TimesText(const Sweep& sweep, const SweepAnswer& answer) {
  const std::vector<CpuTime>& times = answer.times;
  if (times.empty()) return "";
  auto takes = [](const CpuTime& time) {
    return EstimateText(time.time) + " with " + CpusText(time.millicores);
  };
  const std::string step = StepName(sweep);
  std::string text = ". Mean time" + (step.empty() ? "" : " per " + step) +
                     ": " + takes(times.front());
  if (times.size() > 1) text += ", " + takes(times.back());
  for (const std::string& doubt :
       {CannotTellText(answer.fastest), NotComparedText(answer.not_compared)}) {
    if (!doubt.empty()) text += ". " + doubt;
  }
  return text;
}

// Sorts the tightest limits last.
std::vector<const SweepPoint*> InOrder(const Sweep& sweep) {
  std::vector<const SweepPoint*> order;
  for (const SweepPoint& point : sweep.points) order.push_back(&point);
  std::ranges::stable_sort(
      order, std::greater<>(), [](const SweepPoint* point) {
        return std::pair(point->limits.millicores.value_or(0),
                         point->limits.memory.value_or(0));
      });
  return order;
}

using Estimates = std::vector<std::optional<TimeEstimate>>;

// Omits columns without any value, and those that the tables of other formats
// have, so that the table fits a terminal.
Table PointTable(const Sweep& sweep) {
  using Cell = std::function<std::string(const SweepPoint&)>;
  struct Column {
    Table::Column heading;
    Cell cell;
  };
  const Estimates estimates = EstimateTimes(sweep);
  auto estimate = [&](const SweepPoint& point) {
    auto place = static_cast<size_t>(&point - sweep.points.data());
    return point.worked ? estimates[place] : std::nullopt;
  };
  auto step = [](Seconds StepTimes::*member) {
    return [member](const SweepPoint& point) {
      return point.steps ? FormatSeconds((*point.steps).*member) : "";
    };
  };
  const bool steps_only =
      sweep.plan.cpus &&
      std::ranges::all_of(sweep.points, [](const SweepPoint& point) {
        return !point.worked || point.steps;
      });
  std::vector<Column> columns = {
      {{"memory", Align::kRight},
       [](const SweepPoint& point) {
         return point.limits.memory ? MemoryText(*point.limits.memory) : "";
       }},
      {{"CPUs", Align::kRight},
       [](const SweepPoint& point) {
         if (!point.limits.millicores) return std::string();
         return fmt::format(
             "{:g}", static_cast<double>(*point.limits.millicores) / 1000);
       }},
      {{"outcome"}, OutcomeText},
      {{"time", Align::kRight},
       [&](const SweepPoint& point) {
         return steps_only ? "" : FormatSeconds(point.duration);
       }},
      {{"peak", Align::kRight},
       [](const SweepPoint& point) {
         return point.peak_memory ? FormatBytes(*point.peak_memory) : "";
       }},
      {{"throttled", Align::kRight},
       [&](const SweepPoint& point) {
         return point.throttled && !sweep.plan.memory
                    ? fmt::format("{:.0f} %", 100 * *point.throttled)
                    : "";
       }},
      {{"mean", Align::kRight}, step(&StepTimes::mean)},
      {{"±", Align::kRight},
       [&](const SweepPoint& point) {
         auto found = estimate(point);
         return found ? PrecisionText(*found) : "";
       }},
      {{"p99", Align::kRight}, step(&StepTimes::p99)},
      {{"verdict"}, [&](const SweepPoint& point) {
         auto found = estimate(point);
         return found ? ToWords(found->verdict.kind) : "";
       }}};
  std::erase_if(columns, [&](const Column& column) {
    return std::ranges::all_of(sweep.points, [&](const SweepPoint& point) {
      return column.cell(point).empty();
    });
  });
  std::vector<Table::Column> headings;
  for (const Column& column : columns) headings.push_back(column.heading);
  Table table(std::move(headings));
  for (const SweepPoint* point : InOrder(sweep)) {
    std::vector<std::string> cells;
    for (const Column& column : columns) cells.push_back(column.cell(*point));
    table.AddRow(std::move(cells));
  }
  return table;
}

// Says what the columns mean.
std::string Legend(const Sweep& sweep) {
  std::vector<std::string> parts;
  const std::string step = StepName(sweep);
  if (!step.empty()) parts.push_back("mean, p99: of one " + step);
  bool known = std::ranges::any_of(
      EstimateTimes(sweep), [](const std::optional<TimeEstimate>& estimate) {
        return estimate && estimate->interval;
      });
  if (known) {
    parts.push_back(fmt::format("±: 95 % confidence interval of the mean{}",
                                step.empty() ? " time" : ""));
  }
  if (parts.empty()) return "";
  return fmt::format("{}\n", fmt::join(parts, "; "));
}

// Whether the same limit was both fast enough and too slow at the loosest
// value.
bool IsReferenceTooSlow(const Sweep& sweep) {
  if (sweep.points.empty()) return false;
  const PointLimits& loosest = sweep.points.front().limits;
  return std::ranges::any_of(sweep.points, [&](const SweepPoint& point) {
    return point.too_slow && point.limits == loosest;
  });
}

// The first of each kind: why times cannot be trusted.
std::vector<std::string> VerdictNotes(const Sweep& sweep) {
  const Estimates estimates = EstimateTimes(sweep);
  std::vector<std::string> notes;
  std::set<std::pair<VerdictKind, bool>> seen;
  for (size_t i = 0; i < estimates.size(); ++i) {
    if (!sweep.points[i].worked || !estimates[i]) continue;
    if (estimates[i]->verdict.kind == VerdictKind::kStable) continue;
    const VerdictKind kind = estimates[i]->verdict.kind;
    if (!seen.emplace(kind, estimates[i]->brief).second) continue;
    std::string word = ToWords(kind);
    word[0] = static_cast<char>(std::toupper(word[0]));
    notes.push_back(fmt::format("{}, for example at {}: {}.", word,
                                LimitsText(sweep.points[i].limits),
                                estimates[i]->verdict.explanation));
  }
  return notes;
}

std::string FrontText(const Sweep& sweep, const SweepAnswer& answer) {
  if (!sweep.plan.memory || !sweep.plan.cpus) return "";
  std::string text = "\nbest trade-offs of memory, CPUs and time\n";
  for (const FrontPoint& point : answer.front) {
    text += fmt::format("  {}: {}{}\n",
                        LimitsText(sweep.points[point.place].limits),
                        FormatSeconds(point.seconds),
                        point.cannot_tell ? " (cannot tell)" : "");
  }
  bool doubt = std::ranges::any_of(answer.front, &FrontPoint::cannot_tell);
  if (doubt) {
    text += "cannot tell: not certainly faster than a point that needs less\n";
  }
  if (!answer.near_front.empty()) {
    text += fmt::format("{} may belong to it, too: cannot tell\n",
                        Counted(answer.near_front.size(), "other point"));
  }
  return text;
}

// What is known about the time at the limits of a point.
Json EstimateJson(const TimeEstimate& estimate, const SweepPoint& point) {
  Json json;
  json["of"] = point.steps ? point.steps->name : "run";
  json["mean_seconds"] = estimate.seconds;
  if (estimate.interval) {
    json["low_seconds"] = estimate.interval->low;
    json["high_seconds"] = estimate.interval->high;
    json["confidence"] = 0.95;
  }
  json["runs"] = estimate.runs;
  json["verdict"] = ToString(estimate.verdict.kind);
  SetText(json, "verdict_explanation", estimate.verdict.explanation);
  return json;
}

// "2024-05-01 12:30:00.000000" in UTC.
std::string PredecessorTime(std::chrono::system_clock::time_point time) {
  std::string utc = FormatUtc(time);  // 2024-05-01T12:30:00Z
  std::string text = utc.substr(0, 10) + " " + utc.substr(11, 8);
  auto micros = std::chrono::duration_cast<std::chrono::microseconds>(
                    time.time_since_epoch())
                    .count() %
                1'000'000;
  return text + fmt::format(".{:06}", micros);
}

std::string PhaseCell(const SweepPoint& point, const std::string& phase) {
  auto found = point.phases.find(phase);
  return found == point.phases.end() ? ""
                                     : fmt::format("{}", found->second.count());
}

}  // namespace

std::string MemoryText(uint64_t bytes) { return FormatBytes(Bytes{bytes}); }

std::string CpusText(uint64_t millicores) {
  return FormatCpus(static_cast<double>(millicores) / 1000);
}

std::string LimitsText(const PointLimits& limits) {
  if (!limits.memory) return CpusText(limits.millicores.value_or(0));
  std::string text = MemoryText(*limits.memory);
  if (limits.millicores) text += ", " + CpusText(*limits.millicores);
  return text;
}

std::string OutcomeText(const SweepPoint& point) {
  if (point.worked) return "works";
  if (point.too_slow) return "too slow";
  // In sweeps of older versions.
  if (point.outcome.kind == OutcomeKind::kCompleted) return "failed";
  return ToWords(point.outcome.kind);
}

std::vector<std::string> MakeNotes(const Sweep& sweep,
                                   const SweepAnswer& answer) {
  std::vector<std::string> notes;
  if (!sweep.points.empty()) notes.push_back(ConditionsText(sweep));
  bool bimodal = std::ranges::any_of(answer.times, &CpuTime::bimodal);
  if (bimodal) {
    notes.push_back(
        "Under a CPU limit, short steps either run at full speed or wait for "
        "the next period of 100 ms. The mean counts both and is what a long "
        "series of steps takes; the p99 shows the waits only if more than 1 % "
        "of the steps wait.");
  }
  if (IsReferenceTooSlow(sweep)) {
    notes.push_back(
        "Runs with the loosest limit differ by more than the slowdown allows, "
        "so the answer depends on what else the machine did. Repeat the sweep "
        "on a quiet machine, or with a larger --slowdown.");
  }
  for (std::string& note : VerdictNotes(sweep)) {
    notes.push_back(std::move(note));
  }
  auto first_failure =
      std::ranges::find(sweep.points, false, &SweepPoint::worked);
  if (first_failure != sweep.points.end() &&
      !first_failure->outcome.detail.empty()) {
    notes.push_back("First failure, at " + LimitsText(first_failure->limits) +
                    ": " + first_failure->outcome.detail + " (mete runs show " +
                    first_failure->run_id + ").");
    if (!first_failure->last_output.empty()) {
      notes.back() += " Its last line of output: " + first_failure->last_output;
    }
  }
  for (const std::string& note : sweep.notes) {
    notes.push_back("Before the first run: " + note + ".");
  }
  return notes;
}

std::string AnswerText(const Sweep& sweep) {
  if (sweep.points.empty() && !sweep.finished) {
    return sweep.workload + ": interrupted before the first run ended";
  }
  SweepAnswer answer = ComputeAnswer(sweep);
  std::string text = sweep.workload + " ";
  if (answer.cpus) {
    text += FloorText(sweep, *answer.cpus, CpusText);
  } else if (!answer.memory.empty()) {
    const MemoryFloor& first = answer.memory.front();
    text += FloorText(sweep, first.floor, MemoryText);
    if (answer.memory.size() > 1) {
      text += fmt::format(" with {}", CpusText(first.millicores.value_or(0)));
    }
  } else {
    text += "was not run";
  }
  return text + TimesText(sweep, answer);
}

std::string SweepText(const Sweep& sweep) {
  SweepAnswer answer = ComputeAnswer(sweep);
  std::string text = Wrapped(AnswerText(sweep));
  if (!sweep.finished) text += "not finished: rerun the command to resume\n";
  text += "\n" + PointTable(sweep).Text() + Legend(sweep);
  for (size_t i = 1; i < answer.memory.size(); ++i) {
    text += (i == 1 ? "\n" : "") +
            fmt::format("with {}: {}\n",
                        CpusText(answer.memory[i].millicores.value_or(0)),
                        FloorText(sweep, answer.memory[i].floor, MemoryText));
  }
  text += FrontText(sweep, answer);
  for (const std::string& note : MakeNotes(sweep, answer)) {
    text += "\n" + Wrapped(note);
  }
  return text + fmt::format("\nsweep {}, {}\n", sweep.id,
                            Counted(sweep.points.size(), "run"));
}

Json SweepAnswerJson(const Sweep& sweep) {
  SweepAnswer answer = ComputeAnswer(sweep);
  Json json;
  const Floor* floor = nullptr;
  if (answer.cpus) {
    floor = &*answer.cpus;
    if (floor->smallest) json["smallest_working_millicores"] = *floor->smallest;
    if (floor->fails) json["largest_failing_millicores"] = *floor->fails;
  } else if (!answer.memory.empty()) {
    floor = &answer.memory.front().floor;
    if (floor->smallest) json["smallest_working_bytes"] = *floor->smallest;
    if (floor->fails) json["largest_failing_bytes"] = *floor->fails;
  }
  json["confirmed"] = answer.confirmed;
  json["confirming_runs"] = floor == nullptr ? 0 : floor->runs;
  json["pareto_front"] = Json::array();
  for (const FrontPoint& point : answer.front) {
    json["pareto_front"].push_back(point.place);
  }
  json["pareto_cannot_tell"] = Json::array();
  for (const auto* points : {&answer.front, &answer.near_front}) {
    for (const FrontPoint& point : *points) {
      if (point.cannot_tell) json["pareto_cannot_tell"].push_back(point.place);
    }
  }
  if (!answer.fastest.empty()) {
    json["fastest_millicores"] = answer.fastest;
    json["fastest_known"] =
        answer.fastest.size() == 1 && answer.not_compared.empty();
  }
  json.update(SweepToJson(sweep));
  const Estimates estimates = EstimateTimes(sweep);
  for (size_t i = 0; i < estimates.size(); ++i) {
    if (!sweep.points[i].worked || !estimates[i]) continue;
    json["points"][i]["estimate"] =
        EstimateJson(*estimates[i], sweep.points[i]);
  }
  return json;
}

std::string SweepCsv(const Sweep& sweep) {
  std::string text = CsvLine({"memory_limit_bytes",
                              "cpu_limit_millicores",
                              "outcome",
                              "worked",
                              "seconds",
                              "cpu_seconds",
                              "peak_memory_bytes",
                              "throttled_ratio",
                              "step",
                              "steps",
                              "step_mean_seconds",
                              "step_p50_seconds",
                              "step_p99_seconds",
                              "started_at",
                              "run_id",
                              "step_p95_seconds",
                              "mean_seconds",
                              "mean_low_seconds",
                              "mean_high_seconds",
                              "verdict"});
  auto number = [](const auto& value) {
    return value ? fmt::format("{}", *value) : std::string();
  };
  const Estimates estimates = EstimateTimes(sweep);
  for (size_t i = 0; i < sweep.points.size(); ++i) {
    const SweepPoint& point = sweep.points[i];
    std::optional<TimeEstimate> estimate;
    if (point.worked) estimate = estimates[i];
    auto bound = [&](double Interval::*member) {
      return estimate && estimate->interval
                 ? fmt::format("{}", (*estimate->interval).*member)
                 : std::string();
    };
    auto step = [&](Seconds StepTimes::*member) {
      return point.steps ? fmt::format("{}", ((*point.steps).*member).count())
                         : std::string();
    };
    text += CsvLine(
        {number(point.limits.memory),
         number(point.limits.millicores),
         std::string(ToString(point.outcome.kind)),
         point.worked ? "1" : "0",
         fmt::format("{}", point.duration.count()),
         point.cpu_time ? fmt::format("{}", point.cpu_time->count()) : "",
         point.peak_memory ? std::to_string(point.peak_memory->count) : "",
         number(point.throttled),
         point.steps ? point.steps->name : "",
         point.steps ? std::to_string(point.steps->count) : "",
         step(&StepTimes::mean),
         step(&StepTimes::p50),
         step(&StepTimes::p99),
         FormatUtc(point.started_at),
         point.run_id,
         point.steps && point.steps->p95
             ? fmt::format("{}", point.steps->p95->count())
             : "",
         estimate ? fmt::format("{}", estimate->seconds) : "",
         bound(&Interval::low),
         bound(&Interval::high),
         estimate ? std::string(ToString(estimate->verdict.kind)) : ""});
  }
  return text;
}

Result<std::string> PredecessorCsv(const Sweep& sweep) {
  if (sweep.plan.memory && sweep.plan.cpus) {
    return InvalidInput(
        "--export-csv: the Edge Benchmarking Framework has one table for "
        "memory and one for CPUs; sweep one limit at a time");
  }
  bool training =
      std::ranges::any_of(sweep.points, [](const SweepPoint& point) {
        return point.steps && point.steps->name == "epoch";
      });
  std::string prefix = training ? "train." : "inference.";
  std::string text =
      CsvLine({"timedate", sweep.plan.memory ? "memory_limit" : "cpu_quota",
               "parse_args()", "create_folder()", prefix + "init()",
               prefix + "setup()", prefix + "evaluate()"});
  for (const SweepPoint& point : sweep.points) {
    if (!point.worked) continue;
    std::string limit =
        point.limits.memory
            ? std::to_string(*point.limits.memory >> 20)
            : std::to_string(point.limits.millicores.value_or(0) * 100);
    std::string evaluate = PhaseCell(point, "evaluate");
    // A workload that reports no phases counts as all evaluation.
    if (point.phases.empty()) {
      evaluate = fmt::format("{}", point.duration.count());
    }
    text += CsvLine(
        {PredecessorTime(point.started_at), limit,
         PhaseCell(point, "parse_args"), PhaseCell(point, "create_folder"),
         PhaseCell(point, "init"), PhaseCell(point, "setup"), evaluate});
  }
  return text;
}

}  // namespace mete
