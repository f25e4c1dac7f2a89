// Runs an application once under limits, looks at it at a steady rate, ends it
// in time, and says how it went and what it took.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "domain/run.h"
#include "measure/application_spec.h"
#include "ports/host.h"
#include "ports/launcher.h"
#include "ports/machine_probe.h"
#include "support/clock.h"
#include "support/result.h"

namespace mete {

// An application that can be started: what a person described, and what follows
// from it on this device.
struct PreparedApplication {
  ApplicationSpec spec;  // within its bounds (application_bounds.h)
  LaunchRequest launch;
  Workload workload;
  std::string device_id;
  std::string device_name;
  std::string mete_version;
  EngineVersion engine;          // that runs the container; empty: a process
  Launcher* launcher = nullptr;  // borrowed
  // From SIGTERM to SIGKILL when `stop` is requested; absent: as at any other
  // time.
  std::optional<Seconds> interrupt_grace{};
  std::string run_id{};  // of the run that is made
};

// The outside. Borrowed for the length of the call.
struct ApplicationPorts {
  MachineProbe& machine;  // fresh: its energy counts from here
  Host& host;
  Clock& clock;
};

// Where a run stands, for a progress line.
struct ApplicationProgress {
  Seconds elapsed{0};
  std::optional<Seconds> at_most;
  ResourceUsage usage;  // as last seen
};
// Called at most ten times a second.
using ApplicationProgressCallback =
    std::function<void(const ApplicationProgress&)>;

struct ApplicationRun {
  Run run;
  std::vector<UsageSample> samples;
  std::chrono::nanoseconds started{};  // by the monotonic clock
};

// Fails when the program cannot be started. What happens to it then is an
// outcome, also when a limit is refused (kRejected). When `stop` is requested
// the application is ended and the outcome is kInterrupted. Nothing of the
// application is left running on return.
Result<ApplicationRun> RunApplication(
    const PreparedApplication& prepared, const ApplicationPorts& ports,
    const ApplicationProgressCallback& progress, std::stop_token stop);

// What the ending means. `ended_by` is what mete did to it before.
enum class EndedBy { kItself, kTimeout, kUser };
RunOutcome JudgeEnding(const ProcessEnding& ending, EndedBy ended_by,
                       const ApplicationSpec& spec);

}  // namespace mete
