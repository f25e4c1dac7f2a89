#include "analyze/analyze_job.h"

#include <array>

#include "analyze/kind_of_job.h"
#include "analyze/right_sizing.h"

namespace mete {
namespace {

constexpr std::array<JobMember, 9> kJobMembers = {{
    {"gpu_utilization", &JobSeries::gpu_utilization},
    {"gpu_memory_copy", &JobSeries::gpu_memory_copy},
    {"gpu_memory", &JobSeries::gpu_memory},
    {"cpu", &JobSeries::cpu},
    {"memory", &JobSeries::memory},
    {"network_receive", &JobSeries::network_receive},
    {"network_transmit", &JobSeries::network_transmit},
    {"disk_read", &JobSeries::disk_read},
    {"disk_write", &JobSeries::disk_write},
}};

}  // namespace

std::span<const JobMember> MembersOfJob() { return kJobMembers; }

std::string_view ToString(JobKind kind) {
  constexpr std::array<std::string_view, 6> kNames = {
      "empty", "training", "inference", "data_bound", "idle_holding", "other"};
  return kNames[static_cast<size_t>(kind)];
}

Result<JobAnalysis> AnalyzeJob(const AnalyzeJobRequest& request) {
  JobAnalysis analysis;
  for (const JobMember& member : kJobMembers) {
    const std::optional<TimeSeries>& series = request.series.*member.series;
    if (!series) continue;
    auto result = AnalyzeSeries({.series = *series,
                                 .step = request.step,
                                 .method = request.method,
                                 .horizon = request.horizon,
                                 .confidence = request.confidence});
    if (!result.ok()) return result.error().While(std::string(member.name));
    analysis.series.push_back({std::string(member.name), *std::move(result)});
  }
  analysis.kind = FindKindOfJob(request.series, analysis.series);
  analysis.sizing = FindRightSizing(request.series, request.events);
  return analysis;
}

}  // namespace mete
