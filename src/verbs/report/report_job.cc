#include "report/report_job.h"

#include <optional>

#include "domain/device_json.h"
#include "jobs/job_work.h"
#include "jobs/queue.h"
#include "measure/reproduce_command.h"
#include "measure/sample_csv.h"
#include "report/joined_tables.h"
#include "report/report_input.h"
#include "report/session_profile.h"
#include "report/session_report.h"
#include "support/clock.h"
#include "support/json.h"

namespace mete {
namespace {

// A job with everything that the store knows about it.
struct JobResults {
  JobWork work;
  std::vector<Run> runs;
  std::optional<Device> device;
};

Result<JobResults> ReadResults(const Job& job, RunStore& store) {
  JobResults results;
  ASSIGN_OR_RETURN(results.work, JobWorkFromJson(job.work));
  ASSIGN_OR_RETURN(results.runs, FindJobRuns(job, store));
  auto device = store.FindDevice(job.device_id);
  if (device.ok()) results.device = *std::move(device);
  return results;
}

Status NeedRuns(const Job& job) {
  if (!job.run_ids.empty()) return {};
  return NotFound("job " + job.id + " (" + std::string(ToString(job.state)) +
                  ") has no runs" +
                  (job.error.empty() ? "" : ": " + job.error));
}

// Absent for a job that was resumed: its first start is not known.
std::optional<double> DurationOf(const Job& job, const std::vector<Run>& runs) {
  if (!job.started || !job.ended) return std::nullopt;
  if (!runs.empty() && runs.front().started_at < *job.started) {
    return std::nullopt;
  }
  return Seconds(*job.ended - *job.started).count();
}

std::string VersionOf(const std::vector<Run>& runs) {
  return runs.empty() ? "" : runs.back().mete_version;
}

// The text of a run's samples.csv. Absent when it has none or it is gone.
std::optional<std::string> SamplesTextOf(const Run& run) {
  if (!run.process() || run.process()->samples_file.empty()) {
    return std::nullopt;
  }
  auto text = ReadSamples(*run.process());
  if (!text.ok()) return std::nullopt;
  return *std::move(text);
}

}  // namespace

Result<Json> JobProfile(const Job& job, RunStore& store) {
  ASSIGN_OR_RETURN(JobResults results, ReadResults(job, store));
  Json json;
  json["schema_version"] = kProfileSchemaVersion;
  json["session"] = job.name;
  if (job.started) json["started_at"] = FormatUtc(*job.started);
  SetNumber(json, "seconds", DurationOf(job, results.runs));
  json["order"] = "sequential";
  json["interrupted"] =
      job.state == JobState::kInterrupted || job.state == JobState::kCancelled;
  SetText(json, "mete_version", VersionOf(results.runs));
  json["job"]["job_id"] = job.id;
  json["job"]["state"] = ToString(job.state);
  if (results.device) json["device"] = DeviceToJson(*results.device);
  json["applications"] = Json::array();
  json["applications"].push_back(
      ApplicationProfile(results.work.application, results.runs, job.error));
  return json;
}

Result<std::string> JobSamplesCsv(const Job& job, RunStore& store) {
  RETURN_IF_ERROR(NeedRuns(job));
  ASSIGN_OR_RETURN(JobResults results, ReadResults(job, store));
  JoinedTables tables({"application", "run"});
  const std::string name = DisplayName(results.work.application);
  bool found = false;
  for (size_t i = 0; i < results.runs.size(); ++i) {
    auto text = SamplesTextOf(results.runs[i]);
    if (!text) continue;
    found = true;
    RETURN_IF_ERROR(tables.Add({name, std::to_string(i + 1)}, *text)
                        .While("samples of run " + results.runs[i].id));
  }
  if (!found) {
    return NotFound("job " + job.id + ": the files of its samples are gone");
  }
  return tables.Csv();
}

Result<std::string> JobReport(const Job& job, RunStore& store) {
  RETURN_IF_ERROR(NeedRuns(job));
  ASSIGN_OR_RETURN(JobResults results, ReadResults(job, store));
  const ApplicationSpec& spec = results.work.application;
  ReportInput input{.title = job.name,
                    .started_at = job.started.value_or(job.submitted),
                    .seconds = DurationOf(job, results.runs),
                    .interrupted = job.state == JobState::kInterrupted ||
                                   job.state == JobState::kCancelled,
                    .device = results.device,
                    .mete_version = VersionOf(results.runs),
                    .reproduce = MeasureCommand(spec)};
  ReportedApplication application{.name = DisplayName(spec),
                                  .instructions = spec.instructions,
                                  .limits = spec.limits,
                                  .timeout = spec.timeout,
                                  .failure = job.error};
  for (Run& run : results.runs) {
    RunCurves curves;
    if (auto text = SamplesTextOf(run)) {
      ASSIGN_OR_RETURN(curves.samples, SampleTable::FromCsv(*text));
    }
    curves.latencies = LatencyTable(run);
    application.runs.push_back(std::move(run));
    application.curves.push_back(std::move(curves));
  }
  input.applications.push_back(std::move(application));
  return ReportPage(input);
}

}  // namespace mete
