// The contents of a report, collected from a session or from one stored run.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "domain/device.h"
#include "domain/run.h"
#include "report/charts.h"

namespace mete {

// One application of a report with its runs.
struct ReportedApplication {
  std::string name;
  std::string instructions;  // free text; may be empty
  std::string reproduce;     // a command line; may be empty
  Limits limits;
  std::optional<Seconds> timeout;
  std::vector<Run> runs;
  std::vector<RunCurves> curves;  // by run
  // Why the application could not be started. Empty when it could.
  std::string failure;
};

// Everything that a report page shows.
struct ReportInput {
  std::string title;
  std::chrono::system_clock::time_point started_at;
  std::optional<double> seconds;  // duration of the whole session
  bool interrupted = false;
  bool together = false;  // the applications ran side by side
  std::optional<Device> device;
  std::string mete_version;
  std::string reproduce;    // a command line
  std::string description;  // the session's file as given; may be empty
  std::vector<ReportedApplication> applications;
};

// Returns a self-contained page that makes no requests.
std::string ReportPage(const ReportInput& input);

}  // namespace mete
