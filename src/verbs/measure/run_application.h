// Runs an application once under limits, samples it at a fixed rate, enforces
// its timeout, and reports the outcome and the resources used.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "domain/run.h"
#include "measure/application_spec.h"
#include "measure/machine_check.h"
#include "ports/host.h"
#include "ports/launcher.h"
#include "ports/machine_probe.h"
#include "support/clock.h"
#include "support/result.h"

namespace mete {

// An application that is ready to start: its spec and everything derived from
// it on this device.
struct PreparedApplication {
  ApplicationSpec spec;  // within its bounds (application_bounds.h)
  LaunchRequest launch;
  Workload workload;
  std::string device_id;
  std::string device_name;
  std::string mete_version;
  EngineVersion engine;          // container engine; empty: a plain process
  Launcher* launcher = nullptr;  // borrowed
  // Time between SIGTERM and SIGKILL when `stop` is requested. Absent: the same
  // as in `spec`.
  std::optional<Seconds> interrupt_grace{};
  std::string run_id{};  // the id of the run to make
  // Whether RecordRun looks for other users of the CPUs before the run.
  bool check_machine = false;
  // What was seen before the run, if somebody else has looked.
  MachineCheck machine{};
};

// The dependencies of RunApplication, borrowed for the duration of the call.
struct ApplicationPorts {
  MachineProbe& machine;  // new: its energy counter starts here
  Host& host;
  Clock& clock;
};

// The progress of a run, for a progress line.
struct ApplicationProgress {
  Seconds elapsed{0};
  std::optional<Seconds> at_most;
  ResourceUsage usage;  // latest sample
};
// Called at most ten times a second.
using ApplicationProgressCallback =
    std::function<void(const ApplicationProgress&)>;

// A run with its samples.
struct ApplicationRun {
  Run run;
  std::vector<UsageSample> samples;
  // The text of samples.csv instead, if the run was made by an earlier mete
  // whose session this one resumed.
  std::string earlier_samples{};
  std::chrono::nanoseconds started{};  // on the monotonic clock
  // If the launch asked for them and they could be recorded.
  std::optional<std::vector<std::filesystem::path>> opened_files;
};

// Fails when the program cannot be started. Everything after that is an
// outcome, including a rejected limit (kRejected). When `stop` is requested,
// the application is terminated and the outcome is kInterrupted. No process of
// the application is left running on return.
Result<ApplicationRun> RunApplication(
    const PreparedApplication& prepared, const ApplicationPorts& ports,
    const ApplicationProgressCallback& progress, std::stop_token stop);

// How mete was involved in the end of a process.
enum class EndedBy { kItself, kTimeout, kUser };
// Determines the outcome of a run from how its process ended.
RunOutcome JudgeEnding(const ProcessEnding& ending, EndedBy ended_by,
                       const ApplicationSpec& spec);

}  // namespace mete
