#include "measure/network_process.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "domain/run_json.h"
#include "measure/application_bounds.h"
#include "measure/network_reply.h"
#include "support/core_list.h"
#include "support/file.h"
#include "support/json.h"
#include "support/parse_number.h"
#include "support/text.h"

namespace mete {
namespace {

std::string OneLine(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

// Line 1 is JSON, each further line a latency in seconds: a network under a
// memory limit must not need much memory to write its result.
std::string ResultText(const Run& run) {
  std::string text = OneLine(RunToJson(run));
  for (double seconds : run.network()->samples) {
    fmt::format_to(std::back_inserter(text), "{}\n", seconds);
  }
  return text;
}

Result<Run> MeasureWith(const MeasureRequest& request,
                        const MeasureToFilePorts& ports, std::stop_token stop) {
  ASSIGN_OR_RETURN(Engine * engine, ports.open_engine());
  return MeasureNetwork(request,
                        {.engine = *engine,
                         .host = ports.host,
                         .images = ports.images,
                         .clock = ports.clock},
                        {}, std::move(stop));
}

// The number of cores that the limits leave to the network.
int UsableCores(const Limits& limits, int cores) {
  for (const auto& list : {limits.cpuset, limits.pin}) {
    if (!list) continue;
    auto listed = ListCores(*list);
    if (!listed.ok()) continue;  // refused when the run starts
    cores = std::min(cores, static_cast<int>(listed->size()));
  }
  if (limits.cpus) {
    uint64_t whole = (limits.cpus->count + 999) / 1000;
    cores = static_cast<int>(std::min<uint64_t>(whole, std::max(cores, 1)));
  }
  return std::clamp(cores, 1, kMostThreads);
}

}  // namespace

int ThreadsFor(const Limits& limits, const Device& device,
               const NetworkDefaults& defaults) {
  if (limits.threads) return *limits.threads;
  if (defaults.threads > 0) return defaults.threads;
  return UsableCores(limits, device.facts.cores);
}

std::vector<std::string> NetworkCommand(const NetworkOptions& options,
                                        const Limits& limits,
                                        const NetworkRunner& runner) {
  std::vector<std::string> command = {runner.program.string(), "bench",
                                      "measure"};
  std::vector<std::string> arguments =
      NetworkArguments(options, runner.defaults);
  command.insert(command.end(), arguments.begin(), arguments.end());
  command.insert(command.end(), {"--threads", std::to_string(*limits.threads)});
  if (limits.cpus) command.push_back(kCpuQuotaFlag);
  return command;
}

Result<Run> MeasureTimed(const MeasureRequest& request,
                         const MeasureToFilePorts& ports,
                         std::stop_token stop) {
  ASSIGN_OR_RETURN(Run run, MeasureWith(request, ports, std::move(stop)));
  if (run.network()->latency) return run;
  return Error(ErrorCode::kInterrupted, "stopped before anything was timed");
}

Status MeasureToFile(const MeasureRequest& request,
                     const MeasureToFilePorts& ports,
                     const std::filesystem::path& file, std::stop_token stop) {
  auto run = MeasureWith(request, ports, std::move(stop));
  if (run.ok()) return WriteFileAtomically(file, ResultText(*run));
  RETURN_IF_ERROR(WriteFileAtomically(file, NetworkReply(run)));
  return run.error();
}

Result<Run> ReadMeasured(const std::filesystem::path& file) {
  ASSIGN_OR_RETURN(std::string text, ReadFile(file));
  std::vector<std::string> lines = SplitAt(text, '\n');
  ASSIGN_OR_RETURN(Json json, ParseJson(lines.front()));
  if (json.contains("error")) return RunFromReply(lines.front());
  ASSIGN_OR_RETURN(Run run, RunFromJson(json));
  if (!run.network()) return Corrupt("the measured run is not of a network");
  for (size_t i = 1; i < lines.size(); ++i) {
    if (lines[i].empty()) continue;
    auto seconds = ParseNumber<double>(lines[i]);
    if (!seconds) return Corrupt("not a latency: " + lines[i]);
    run.network()->samples.push_back(*seconds);
  }
  return run;
}

Run MakeNetworkRun(Run process, const Result<Run>& measured) {
  Run run = std::move(process);
  NetworkDetails network;
  run.cpu_time.reset();  // that of the process is in its details
  if (measured.ok()) {
    network = *measured->network();
    const Workload& fed = measured->workload;
    run.workload.batch = fed.batch;
    run.workload.input_shapes = fed.input_shapes;
    run.workload.input_origin = fed.input_origin;
    run.workload.given_shapes = fed.given_shapes;
    run.engine = measured->engine;
    run.seed = measured->seed;
    run.cpu_time = measured->cpu_time;
    if (!run.peak_rss) run.peak_rss = measured->peak_rss;
  }
  if (!network.latency) {
    network.verdict = {.kind = VerdictKind::kTooFewSamples,
                       .explanation = "no inference was timed"};
  }
  if (run.application() && run.application()->started()) {
    network.process = std::move(*run.application());
  }
  run.details = std::move(network);
  return run;
}

}  // namespace mete
