// What a report tells, gathered from a session or from one stored run.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "domain/device.h"
#include "domain/run.h"
#include "report/charts.h"

namespace mete {

struct ReportedApplication {
  std::string name;
  std::string instructions;  // free text; may be empty
  std::string reproduce;     // a command line; may be empty
  Limits limits;
  std::optional<Seconds> timeout;
  std::vector<Run> runs;
  std::vector<RunCurves> curves;  // by run
  // Why it could not be started; empty when it could.
  std::string failure;
};

struct ReportInput {
  std::string title;
  std::chrono::system_clock::time_point started_at;
  std::optional<double> seconds;  // of the whole session
  bool interrupted = false;
  bool together = false;  // the applications ran side by side
  std::optional<Device> device;
  std::string mete_version;
  std::string reproduce;    // a command line
  std::string description;  // the session's file as given; may be empty
  std::vector<ReportedApplication> applications;
};

// The page: self-contained, asks nothing of any other place.
std::string ReportPage(const ReportInput& input);

}  // namespace mete
