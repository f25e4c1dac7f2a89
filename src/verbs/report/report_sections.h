// The parts of a report's page, each a piece of HTML with everything escaped.
#pragma once

#include <string>

#include "measure/repeat_summary.h"
#include "report/report_input.h"

namespace mete {

// Verdict, tiles, metrics, charts, runs, notes and how to do it again. `place`
// numbers it in the page.
std::string ApplicationSection(const ReportedApplication& application,
                               size_t place);

// The machine and what it was doing.
std::string EnvironmentSection(const ReportInput& input);

// <table> of two columns; rows without a value are left out.
struct Fact {
  std::string name;
  std::string value;
};
std::string FactTable(const std::vector<Fact>& facts);

// What was allowed, in words; "none" when everything was.
std::vector<Fact> LimitFacts(const Limits& limits,
                             const std::optional<Seconds>& timeout);

}  // namespace mete
