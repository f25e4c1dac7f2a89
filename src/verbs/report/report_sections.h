// The parts of a report page, each a piece of HTML with all text escaped.
#pragma once

#include <string>

#include "measure/repeat_summary.h"
#include "report/report_input.h"

namespace mete {

// Verdict, tiles, metrics, charts, runs, notes and how to reproduce them.
// `place` is the section's number in the page.
std::string ApplicationSection(const ReportedApplication& application,
                               size_t place);

// The machine and its state.
std::string EnvironmentSection(const ReportInput& input);

// One row of a FactTable.
struct Fact {
  std::string name;
  std::string value;
};
// A <table> of two columns. Rows without a value are left out.
std::string FactTable(const std::vector<Fact>& facts);

// The limits as text; "none" without limits.
std::vector<Fact> LimitFacts(const Limits& limits,
                             const std::optional<Seconds>& timeout);

}  // namespace mete
