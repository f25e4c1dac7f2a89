#include "report/session_report.h"

#include <fmt/format.h>

#include "measure/sample_csv.h"
#include "support/check.h"
#include "support/words.h"

namespace mete {
namespace {

// Numbers as the flags read them back.
std::string BytesWord(Bytes bytes) {
  constexpr uint64_t kMebi = 1 << 20;
  if (bytes.count % kMebi == 0) return fmt::format("{}Mi", bytes.count / kMebi);
  return std::to_string(bytes.count);
}
std::string SecondsWord(Seconds seconds) {
  return fmt::format("{:g}s", seconds.count());
}

void AddLimits(const Limits& limits, std::vector<std::string>& words) {
  auto add = [&](const char* flag, const std::string& value) {
    words.insert(words.end(), {flag, value});
  };
  if (limits.memory) add("--memory", BytesWord(*limits.memory));
  if (limits.cpus) add("--cpus", fmt::format("{}m", limits.cpus->count));
  if (limits.cpuset) add("--cpuset", *limits.cpuset);
  if (limits.processes) add("--processes", std::to_string(*limits.processes));
  if (limits.threads) add("--threads", std::to_string(*limits.threads));
  if (limits.swap) words.emplace_back("--swap");
}

void AddContainer(const ContainerSettings& container,
                  std::vector<std::string>& words) {
  auto option = [&](const std::string& name, const std::string& value) {
    if (!value.empty()) words.push_back("--docker-arg=" + name + "=" + value);
  };
  words.insert(words.end(), {"--image", container.image});
  for (const Mount& mount : container.mounts) {
    words.insert(words.end(),
                 {"--mount", mount.source.string() + ":" + mount.target +
                                 (mount.read_only ? ":ro" : "")});
  }
  for (const DeviceNode& device : container.devices) {
    option("--device",
           device.source + ":" + device.target + ":" + device.permissions);
  }
  option("--runtime", container.runtime);
  option("--network", container.network);
  option("--user", container.user);
  if (container.shared_memory) {
    option("--shm-size", BytesWord(*container.shared_memory));
  }
  const ContainerPrivileges& wide = container.privileges;
  if (wide.privileged) words.emplace_back("--docker-arg=--privileged");
  if (wide.host_processes) option("--pid", "host");
  for (const std::string& name : wide.capabilities) option("--cap-add", name);
  for (const std::string& text : wide.security_options) {
    option("--security-opt", text);
  }
}

RunCurves CurvesOf(const ApplicationRun& done) {
  auto table = SampleTable::FromCsv(SamplesCsv(done.samples));
  CHECK(table.ok()) << "own samples: " << table.error().message();
  RunCurves curves{.samples = *std::move(table)};
  if (!done.run.application) return curves;
  for (const auto& [name, metric] : done.run.application->app_metrics) {
    // How often a timer or number was told is no news beside a rate.
    if (metric.kind != AppMetricKind::kRate) continue;
    curves.metrics[name] = {
        .from = Seconds(metric.first - done.started).count(),
        .per_second = metric.per_second};
  }
  return curves;
}

ReportedApplication Reported(const ApplicationResult& result) {
  ReportedApplication application{
      .name = NameOf(result.spec),
      .instructions = result.spec.instructions,
      .reproduce = MeasureCommand(result.spec),
      .limits = result.spec.limits,
      .timeout = result.spec.timeout,
      .failure = result.failure ? result.failure->message() : ""};
  for (const ApplicationRun& done : result.runs) {
    application.runs.push_back(done.run);
    application.curves.push_back(CurvesOf(done));
  }
  return application;
}

// The latencies of a network over the time they took.
SampleTable LatencyTable(const std::vector<double>& latencies) {
  SampleTable::Column times;
  SampleTable::Column values;
  double time = 0;
  for (double latency : latencies) {
    time += latency;
    times.push_back(time);
    values.push_back(latency);
  }
  SampleTable table;
  table.Add("time_seconds", std::move(times));
  table.Add("latency_seconds", std::move(values));
  return table;
}

// What to type for a run like a stored one.
std::string CommandOf(const Run& run) {
  std::vector<std::string> words = {"mete", "measure"};
  AddLimits(run.limits, words);
  std::string line = JoinWords(words);
  switch (run.workload.kind) {
    case WorkloadKind::kNetwork:
      return line + " " + JoinWords({run.workload.source});
    case WorkloadKind::kCommand:
      return line + " -- " + run.workload.source;
    case WorkloadKind::kImage:
      return line + " --image " + run.workload.source;
    case WorkloadKind::kService:
      break;
  }
  return "";
}

}  // namespace

std::string MeasureCommand(const ApplicationSpec& spec) {
  const ApplicationSpec usual;
  std::vector<std::string> words = {"mete", "measure"};
  auto add = [&](const char* flag, const std::string& value) {
    words.insert(words.end(), {flag, value});
  };
  AddLimits(spec.limits, words);
  if (spec.timeout) add("--timeout", SecondsWord(*spec.timeout));
  if (spec.grace != usual.grace) add("--grace", SecondsWord(spec.grace));
  if (spec.repeat != usual.repeat) add("--repeat", std::to_string(spec.repeat));
  if (spec.sample_hertz != usual.sample_hertz) {
    add("--sample", fmt::format("{:g}Hz", spec.sample_hertz));
  }
  for (const auto& [name, value] : spec.environment) {
    add("--env", name + "=" + value);
  }
  if (!spec.dataset.empty()) add("--dataset", spec.dataset.string());
  if (spec.container) AddContainer(*spec.container, words);
  std::string line = JoinWords(words);
  if (!spec.container && !spec.folder.empty()) {
    line = "cd " + JoinWords({spec.folder.string()}) + " && " + line;
  }
  if (spec.command.empty()) return line;
  return line + " -- " + JoinWords(spec.command);
}

ReportInput ReportOf(const SessionResult& session) {
  ReportInput input{
      .title = session.spec.name,
      .started_at = session.started_at,
      .seconds = session.seconds,
      .interrupted = session.interrupted,
      .together = session.spec.order == SessionOrder::kTogether,
      .device = session.device,
      .mete_version = session.mete_version,
      .reproduce = "mete session run " +
                   JoinWords({session.spec.file.filename().string()}),
      .description = session.spec.text};
  for (const ApplicationResult& result : session.applications) {
    input.applications.push_back(Reported(result));
  }
  return input;
}

Result<ReportInput> ReportOf(const Run& run,
                             const std::optional<Device>& device,
                             const std::string& samples) {
  RunCurves curves;
  if (!samples.empty()) {
    ASSIGN_OR_RETURN(curves.samples, SampleTable::FromCsv(samples));
  } else if (!run.samples.empty()) {
    curves.samples = LatencyTable(run.samples);
  }
  ReportInput input{.title = run.workload.name,
                    .started_at = run.started_at,
                    .device = device,
                    .mete_version = run.mete_version,
                    .reproduce = CommandOf(run)};
  input.applications.push_back({.name = run.workload.source,
                                .limits = run.limits,
                                .runs = {run},
                                .curves = {std::move(curves)}});
  return input;
}

}  // namespace mete
