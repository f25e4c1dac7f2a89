#include "report/session_profile.h"

#include "domain/device_json.h"
#include "domain/run_json.h"
#include "measure/application_spec_json.h"
#include "measure/repeat_summary.h"
#include "measure/sample_csv.h"
#include "report/joined_tables.h"
#include "report/session_report.h"
#include "support/clock.h"
#include "support/file.h"
#include "support/json.h"
#include "support/sha256.h"

namespace mete {
namespace {

Json ApplicationToJson(const ApplicationResult& application) {
  std::vector<Run> runs;
  for (const ApplicationRun& done : application.runs) runs.push_back(done.run);
  return ApplicationProfile(
      application.spec, runs,
      application.failure ? application.failure->message() : "");
}

// For a resumed session, whose earlier samples exist only as files. What is
// damaged there is left out.
std::string MergedSamples(const SessionResult& session) {
  JoinedTables tables({"application", "run"});
  for (const ApplicationResult& application : session.applications) {
    for (size_t i = 0; i < application.runs.size(); ++i) {
      const ApplicationRun& done = application.runs[i];
      static_cast<void>(
          tables
              .Add({DisplayName(application.spec), std::to_string(i + 1)},
                   done.earlier_samples.empty() ? SamplesCsv(done.samples)
                                                : done.earlier_samples)
              .ok());
    }
  }
  return tables.Csv();
}

bool HasEarlierSamples(const SessionResult& session) {
  for (const ApplicationResult& application : session.applications) {
    for (const ApplicationRun& done : application.runs) {
      if (!done.earlier_samples.empty()) return true;
    }
  }
  return false;
}

std::string CsvCell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

}  // namespace

Json ApplicationProfile(const ApplicationSpec& spec,
                        const std::vector<Run>& runs,
                        const std::string& failure) {
  Json json;
  json["name"] = DisplayName(spec);
  json["spec"] = ApplicationSpecToJson(spec);
  SetText(json, "failure", failure);
  json["runs"] = Json::array();
  for (const Run& run : runs) json["runs"].push_back(RunToJson(run));
  json["summary"] = RepeatSummaryToJson(SummariseRepeats(runs));
  return json;
}

Json ProfileToJson(const SessionResult& session) {
  Json json;
  json["schema_version"] = kProfileSchemaVersion;
  json["session"] = session.spec.name;
  json["started_at"] = FormatUtc(session.started_at);
  json["seconds"] = session.seconds;
  json["order"] = ToString(session.spec.order);
  json["interrupted"] = session.interrupted;
  if (session.resumed > 0) json["resumed"] = session.resumed;
  json["mete_version"] = session.mete_version;
  json["spec"]["file"] = session.spec.file.string();
  json["spec"]["sha256"] = ComputeSha256(session.spec.text);
  json["spec"]["text"] = session.spec.text;
  json["device"] = DeviceToJson(session.device);
  json["applications"] = Json::array();
  for (const ApplicationResult& application : session.applications) {
    json["applications"].push_back(ApplicationToJson(application));
  }
  return json;
}

std::string SessionSamplesCsv(const SessionResult& session) {
  if (HasEarlierSamples(session)) return MergedSamples(session);
  std::vector<LabelledSamples> runs;
  for (const ApplicationResult& application : session.applications) {
    const std::string name = CsvCell(DisplayName(application.spec));
    for (size_t i = 0; i < application.runs.size(); ++i) {
      runs.push_back({.label = name + "," + std::to_string(i + 1),
                      .samples = application.runs[i].samples});
    }
  }
  return SamplesCsv("application,run", runs);
}

Status WriteSessionFiles(const SessionResult& session) {
  const SessionFormats& formats = session.spec.formats;
  std::error_code error;
  std::filesystem::create_directories(session.folder, error);
  if (error) {
    return SystemError("create " + session.folder.string(), error.value());
  }
  if (formats.csv) {
    RETURN_IF_ERROR(WriteFileAtomically(session.folder / kSessionSamplesFile,
                                        SessionSamplesCsv(session)));
  }
  if (formats.json) {
    RETURN_IF_ERROR(
        WriteFileAtomically(session.folder / kSessionProfileFile,
                            DumpJson(ProfileToJson(session)) + "\n"));
  }
  if (formats.html) {
    RETURN_IF_ERROR(WriteFileAtomically(session.folder / kSessionReportFile,
                                        ReportPage(MakeReport(session))));
  }
  return {};
}

void RunningSessionFiles::Update(const SessionResult& session) {
  constexpr int kRest = 20;  // times as long as the last write took
  const std::chrono::nanoseconds began = clock_.Now();
  if (session.interrupted && began < not_before_) return;
  // The session goes on, and the last write reports a failure.
  static_cast<void>(WriteSessionFiles(session).ok());
  const std::chrono::nanoseconds now = clock_.Now();
  not_before_ = now + kRest * (now - began);
}

}  // namespace mete
