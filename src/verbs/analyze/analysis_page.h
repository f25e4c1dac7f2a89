// Makes a page from the analysis of a file: the series, its periods and its
// forecast.
#pragma once

#include <string>

#include "analyze/analyze_file.h"

namespace mete {

// Self-contained; makes no requests.
std::string AnalysisPage(const FileAnalysis& analysis,
                         const std::string& mete_version);

}  // namespace mete
