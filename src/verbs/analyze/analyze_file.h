// Analyzes the series in a CSV file, which may be compressed with gzip.
#pragma once

#include <optional>
#include <string>

#include "analyze/analyze_job.h"
#include "support/result.h"

namespace mete {

// The file and how to analyze it, as in AnalyzeRequest.
struct AnalyzeFileRequest {
  std::string file;
  std::string column;  // of the values; empty: the second
  // What the values are: a member of JobSeries, such as "cpu". Empty: unknown.
  std::string metric;
  std::optional<Seconds> step;
  PeriodMethod method = PeriodMethod::kRegression;
  std::optional<Seconds> horizon;
  double confidence = 0.9;
};

// A series from a file and what it shows.
struct FileAnalysis {
  std::string name;  // of the file
  TimeSeries series;
  SeriesAnalysis analysis;
  KindOfJob kind;
  RightSizing sizing;  // if the metric is cpu or memory
};

// Fails as ReadFile, Gunzip, ReadSeries and AnalyzeSeries do.
Result<FileAnalysis> AnalyzeFile(const AnalyzeFileRequest& request);

// Fails with kInvalidInput and the nearest metric.
Result<std::string> ParseMetric(const std::string& name);

}  // namespace mete
