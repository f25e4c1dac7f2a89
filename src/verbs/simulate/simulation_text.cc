#include "simulate/simulation_text.h"

#include <fmt/format.h>

#include "support/json.h"
#include "support/table.h"

namespace mete {
namespace {

std::string Percent(double ratio) {
  return fmt::format("{:.2f} %", 100 * ratio);
}

// Half the width of the interval, in percentage points.
std::string PlusMinus(const MeanEstimate& estimate) {
  if (!estimate.interval) return "";
  return fmt::format("{:.2f}",
                     50 * (estimate.interval->high - estimate.interval->low));
}

std::string LargestHeading(int most_gpus) {
  return fmt::format("{}-GPU", most_gpus);
}

std::string ClusterLine(const GpuTrace& trace, const Simulation& simulation) {
  std::string line = fmt::format(
      "{} with {}, {}, {}", Counted(trace.nodes.size(), "node"),
      Counted(static_cast<uint64_t>(trace.GpuMilli() / kWholeGpu), "GPU"),
      Counted(trace.pods.size(), "pod"),
      Counted(simulation.request.seeds.size(), "seed"));
  if (trace.nodes_without_gpus > 0) {
    line += fmt::format("; left out {}",
                        Counted(trace.nodes_without_gpus, "node without GPUs",
                                "nodes without GPUs"));
  }
  return line + "\n\n";
}

Json LevelJson(const SimulatedLevel& level) {
  Json rejected = Json::object();
  for (const auto& [gpus, count] : level.rejected) {
    rejected[std::to_string(gpus)] = count;
  }
  return {{"arrived", level.arrived},
          {"allocated", level.allocated},
          {"pods", level.pods},
          {"rejected", level.AllRejected()},
          {"rejected_by_gpus", rejected}};
}

Json RunJson(const SimulatedRun& run) {
  Json levels = Json::array();
  for (const SimulatedLevel& level : run.levels) {
    levels.push_back(LevelJson(level));
  }
  return {{"policy", ToString(run.policy)},
          {"seed", run.seed},
          {"levels", levels},
          {"seconds", run.time.count()}};
}

Json SummaryJson(const PolicySummary& summary) {
  Json json = {{"policy", ToString(summary.policy)},
               {"arrived", summary.level},
               {"runs", summary.runs},
               {"allocated", summary.allocated.mean}};
  if (const auto& interval = summary.allocated.interval) {
    json["allocated_interval"] = {interval->low, interval->high};
  }
  json["rejected"] = summary.rejected;
  json["rejected_without_gpus"] = summary.rejected_without_gpus;
  json["rejected_largest"] = summary.rejected_largest;
  json["seconds"] = summary.time.count();
  return json;
}

}  // namespace

std::string SimulationText(const GpuTrace& trace,
                           const Simulation& simulation) {
  Table table({{"policy"},
               {"arrived", Align::kRight},
               {"allocated", Align::kRight},
               {"+/-", Align::kRight},
               {"rejected", Align::kRight},
               {"without GPU", Align::kRight},
               {LargestHeading(simulation.most_gpus), Align::kRight},
               {"time", Align::kRight}});
  for (const PolicySummary& row : simulation.summaries) {
    table.AddRow(
        {ToString(row.policy), fmt::format("{:.4g} %", 100 * row.level),
         Percent(row.allocated.mean), PlusMinus(row.allocated),
         fmt::format("{:.1f}", row.rejected),
         fmt::format("{:.1f}", row.rejected_without_gpus),
         fmt::format("{:.1f}", row.rejected_largest), FormatSeconds(row.time)});
  }
  return ClusterLine(trace, simulation) + table.Text();
}

Json SimulationJson(const GpuTrace& trace, const Simulation& simulation) {
  Json summaries = Json::array();
  for (const PolicySummary& row : simulation.summaries) {
    summaries.push_back(SummaryJson(row));
  }
  Json runs = Json::array();
  for (const SimulatedRun& run : simulation.runs) runs.push_back(RunJson(run));
  return {{"cluster",
           {{"nodes", trace.nodes.size()},
            {"gpus", trace.GpuMilli() / kWholeGpu},
            {"pods", trace.pods.size()},
            {"nodes_without_gpus", trace.nodes_without_gpus},
            {"pods_too_large", trace.too_large}}},
          {"mix", simulation.request.learns ? "learned" : "known"},
          {"policies", summaries},
          {"runs", runs}};
}

std::string SimulationCsv(const Simulation& simulation) {
  Table table({{"policy"},
               {"seed"},
               {"arrived"},
               {"allocated"},
               {"pods"},
               {"rejected"},
               {"rejected_without_gpus"},
               {"rejected_largest"},
               {"seconds"}});
  for (const SimulatedRun& run : simulation.runs) {
    for (const SimulatedLevel& level : run.levels) {
      table.AddRow({ToString(run.policy), std::to_string(run.seed),
                    fmt::format("{:.6f}", level.arrived),
                    fmt::format("{:.6f}", level.allocated),
                    std::to_string(level.pods),
                    std::to_string(level.AllRejected()),
                    std::to_string(level.RejectedWith(0)),
                    std::to_string(level.RejectedWith(simulation.most_gpus)),
                    fmt::format("{:.4f}", run.time.count())});
    }
  }
  return table.Csv();
}

}  // namespace mete
