#include "analyze/analyze_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "analyze/duration_text.h"
#include "analyze/read_series.h"
#include "series/even_series.h"
#include "support/file.h"
#include "support/gzip.h"
#include "support/nearest.h"

namespace mete {
namespace {

// A period of a day or more follows people, a shorter one the job itself.
constexpr double kShortestOfPeople = 6 * 3600;

// The kind of a job of which only one series is known, and not what it is.
KindOfJob KindOfSeries(const SeriesAnalysis& analysis) {
  if (!analysis.summary || analysis.summary->max <= 0) {
    return {.kind = JobKind::kEmpty, .evidence = {"no value is above 0"}};
  }
  if (analysis.periods.empty()) return {.evidence = {"no period"}};
  const SeriesPeriod& period = analysis.periods.front();
  return {.kind = period.length.count() < kShortestOfPeople
                      ? JobKind::kTraining
                      : JobKind::kInference,
          .evidence = {"repeats every " + DurationText(period.length)}};
}

Status Assign(JobSeries& job, const std::string& metric, TimeSeries series) {
  const std::optional<TimeSeries> value = std::move(series);
  const auto members = MembersOfJob();
  for (const auto& [name, member] : members) {
    if (name == metric) {
      job.*member = value;
      return {};
    }
  }
  return InvalidInput("unknown metric " + metric);
}

}  // namespace

Result<std::string> ParseMetric(const std::string& name) {
  std::vector<std::string> names;
  for (const auto& [known, member] : MembersOfJob()) {
    if (known == name) return name;
    names.emplace_back(known);
  }
  return InvalidInput(
      fmt::format("'{}' is not a metric{}", name, DidYouMean(name, names)));
}

Result<FileAnalysis> AnalyzeFile(const AnalyzeFileRequest& request) {
  ASSIGN_OR_RETURN(std::string text, ReadFile(request.file));
  if (IsGzip(text)) {
    ASSIGN_OR_RETURN(text, Gunzip(text).While("read " + request.file));
  }
  // A compressed file of a few kilobytes can have hundreds of millions of
  // lines, which take more memory as cells than as text.
  const auto lines = std::ranges::count(text, '\n');
  if (lines > static_cast<std::ptrdiff_t>(kMostEvenValues)) {
    return InvalidInput(
        fmt::format("read {}: {} lines are too many; at most {}", request.file,
                    lines, kMostEvenValues));
  }
  auto series = ReadSeries({.text = text, .column = request.column});
  if (!series.ok()) return series.error().While("read " + request.file);
  FileAnalysis result{
      .name = std::filesystem::path(request.file).filename().string(),
      .series = *std::move(series)};
  if (request.metric.empty()) {
    ASSIGN_OR_RETURN(result.analysis,
                     AnalyzeSeries({.series = result.series,
                                    .step = request.step,
                                    .method = request.method,
                                    .horizon = request.horizon,
                                    .confidence = request.confidence}));
    result.kind = KindOfSeries(result.analysis);
    return result;
  }
  AnalyzeJobRequest job{.step = request.step,
                        .method = request.method,
                        .horizon = request.horizon,
                        .confidence = request.confidence};
  RETURN_IF_ERROR(Assign(job.series, request.metric, result.series));
  ASSIGN_OR_RETURN(JobAnalysis analysis, AnalyzeJob(job));
  result.analysis = std::move(analysis.series.front().analysis);
  result.kind = std::move(analysis.kind);
  result.sizing = std::move(analysis.sizing);
  return result;
}

}  // namespace mete
