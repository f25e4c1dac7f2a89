// Observes something that already runs for a while and stores the run. Never
// ends or changes what it observes.
#pragma once

#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>

#include "domain/run.h"
#include "measure/application_spec.h"
#include "measure/measure_application.h"
#include "measure/progress_lines.h"
#include "ports/attach.h"
#include "support/result.h"

namespace mete {

// What to observe, and for how long.
struct ObserveRequest {
  AttachTarget target;
  std::optional<Seconds> duration;  // absent: until it ends or Ctrl-C
  double sample_hertz = 10;
  ProbeChoice probes;  // hooks are not available
  std::string mete_version;
  // Folder for samples.csv. Empty: a folder named by run id in `runs_folder`.
  std::filesystem::path folder;
};

// The dependencies of ObserveService, borrowed for the duration of a call.
struct ObserveDependencies {
  MeasureApplicationDependencies measure;
  AttachFunction attach;
};

// Returns one run of kind kService. Its duration is that of the observation and
// its outcome is kCompleted, also when the service ended meanwhile; the detail
// says which. kInterrupted: the user ended the observation. Fails like
// `attach`.
Result<ApplicationMeasurement> ObserveService(
    const ObserveRequest& request, const ObserveDependencies& dependencies,
    const ProgressLines& lines, std::stop_token stop);

}  // namespace mete
