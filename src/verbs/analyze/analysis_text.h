// Formats the analysis of a file for people and for programs.
#pragma once

#include <string>
#include <vector>

#include "analyze/analyze_file.h"
#include "support/json_fwd.h"

namespace mete {

std::string AnalysisText(const FileAnalysis& analysis);
// docs/reference/analyze.md lists the keys. Absent values have no key.
Json AnalysisJson(const FileAnalysis& analysis);
// The forecast: time,value,low,high; times in ISO 8601.
std::string AnalysisCsv(const FileAnalysis& analysis);

// "2026-11-18T13:00:00Z" for seconds since 1970.
std::string TimeText(double seconds);

// The lines above the tables: the kind of job, the trend, level shifts and the
// forecast, one sentence each.
std::vector<std::string> AnalysisSentences(const FileAnalysis& analysis);

}  // namespace mete
