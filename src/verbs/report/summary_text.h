// What was measured, in words and figures a developer needs no manual for.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "measure/repeat_summary.h"
#include "report/report_input.h"

namespace mete {

// How good the news is; decides a colour, never the only sign of it.
enum class Tone { kGood, kWarning, kBad };

struct Judgement {
  Tone tone = Tone::kGood;
  std::string headline;                // "Completed in 1.2 s"
  std::vector<std::string> sentences;  // what it needed, what held it back
};

Judgement Judge(const ReportedApplication& application,
                const RepeatSummary& summary);

// A figure for a tile: large value, small remark.
struct Tile {
  std::string label;
  std::string value;
  std::string remark;
};

std::vector<Tile> MakeTiles(const ReportedApplication& application,
                            const RepeatSummary& summary);

// "1.2 s" or "29.97".
std::string MetricValue(AppMetricKind kind, double value);
// "(1.1 s to 1.3 s)", or "" when there is one run only.
std::string Spread(const ValueSummary& metric,
                   const std::function<std::string(double)>& format);

}  // namespace mete
