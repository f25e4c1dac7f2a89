// Summarizes measurements as short sentences and values that need no manual.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "measure/repeat_summary.h"
#include "report/report_input.h"

namespace mete {

// Whether the result is good. Selects a colour, but never is the only sign.
enum class Tone { kGood, kWarning, kBad };

// The verdict about an application.
struct Judgement {
  Tone tone = Tone::kGood;
  std::string headline;                // "Completed in 1.2 s"
  std::vector<std::string> sentences;  // what it needed and what limited it
};

Judgement Judge(const ReportedApplication& application,
                const RepeatSummary& summary);

// A value in a tile: large value, small remark.
struct Tile {
  std::string label;
  std::string value;
  std::string remark;
};

std::vector<Tile> MakeTiles(const ReportedApplication& application,
                            const RepeatSummary& summary);

// "1.2 s" or "29.97".
std::string MetricValue(AppMetricKind kind, double value);
// "(1.1 s to 1.3 s)", or "" when there is only one run.
std::string Spread(const ValueSummary& metric,
                   const std::function<std::string(double)>& format);

}  // namespace mete
