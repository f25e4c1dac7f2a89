// Measures a network in a process of its own, so that limits apply to it and
// the memory of mete is not part of the result. Sessions, jobs and `mete
// measure NET.onnx --memory …` use it. The process is `mete bench measure`; it
// writes what it measured to a file.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

#include "domain/device.h"
#include "domain/run.h"
#include "measure/measure_network.h"
#include "measure/network_options.h"
#include "support/result.h"

namespace mete {

// Fails when a file is not a network. May be empty: then it is not checked.
using NetworkCheck = std::function<Status(const std::filesystem::path&)>;

// What is needed to measure networks in processes.
struct NetworkRunner {
  std::filesystem::path program;  // mete itself
  // Passes the settings of this process on to the other.
  std::map<std::string, std::string> environment{};
  NetworkDefaults defaults{};
  NetworkCheck check{};
};

// The threads of the engine: those of the limits, else those of the settings,
// else one per core that the network may use.
int ThreadsFor(const Limits& limits, const Device& device,
               const NetworkDefaults& defaults);

// The command that measures the network under these limits, which must have
// threads. RecordRun adds kResultFlag and a file.
std::vector<std::string> NetworkCommand(const NetworkOptions& options,
                                        const Limits& limits,
                                        const NetworkRunner& runner);
inline constexpr const char* kResultFlag = "--result";
inline constexpr const char* kCpuQuotaFlag = "--has-cpu-quota";

// The dependencies of the next two, borrowed for the duration of the call.
struct MeasureToFilePorts {
  std::function<Result<Engine*>()> open_engine;
  Host& host;
  ImageReader& images;
  Clock& clock;
};

// The process: measures. Fails as MeasureNetwork does, without an engine, and
// with kInterrupted when nothing was timed.
Result<Run> MeasureTimed(const MeasureRequest& request,
                         const MeasureToFilePorts& ports, std::stop_token stop);

// The same, and writes the run, even without times, or the error to the file.
// Fails as MeasureNetwork does, without an engine, and when the file cannot be
// written.
Status MeasureToFile(const MeasureRequest& request,
                     const MeasureToFilePorts& ports,
                     const std::filesystem::path& file, std::stop_token stop);

// Reads what the process wrote: a run with its samples, or its error. Fails
// with kNotFound when the process did not get that far.
Result<Run> ReadMeasured(const std::filesystem::path& file);

// Combines the run of the process with what it measured, if anything: id,
// device, limits and outcome are those of the process.
Run MakeNetworkRun(Run process, const Result<Run>& measured);

}  // namespace mete
