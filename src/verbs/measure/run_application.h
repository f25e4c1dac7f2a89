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
#include "ports/host.h"
#include "ports/launcher.h"
#include "ports/machine_probe.h"
#include "support/clock.h"
#include "support/result.h"

namespace mete {

struct ApplicationRequest {
  LaunchRequest launch;
  Workload workload;
  std::optional<Seconds> timeout;  // absent: as long as it takes
  // From SIGTERM to SIGKILL.
  Seconds grace{5};
  // The same when `stop` is requested; absent: no other.
  std::optional<Seconds> interrupt_grace;
  double sample_hertz = 10;  // kSlowestSampling to kFastestSampling
  // "perf", "gpu", "tegrastats": a note says why one of these gives nothing.
  // All are read in any case where they can be.
  std::vector<std::string> wanted_probes;
  std::string device_id;
  std::string device_name;
  std::string mete_version;
  EngineVersion engine;  // that runs the container; empty for a process
  std::string run_id;    // of the run that is made
};

constexpr double kSlowestSampling = 1;
constexpr double kFastestSampling = 1000;

// The outside. Borrowed for the length of the call.
struct ApplicationPorts {
  Launcher& launcher;
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
    const ApplicationRequest& request, const ApplicationPorts& ports,
    const ApplicationProgressCallback& progress, std::stop_token stop);

// What the ending means. `ended_by` is what mete did to it before.
enum class EndedBy { kItself, kTimeout, kUser };
RunOutcome JudgeEnding(const ProcessEnding& ending, EndedBy ended_by,
                       const ApplicationRequest& request);

}  // namespace mete
