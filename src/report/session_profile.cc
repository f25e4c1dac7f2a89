#include "report/session_profile.h"

#include "domain/device_json.h"
#include "domain/run_json.h"
#include "measure/recorded_run.h"
#include "measure/repeat_summary.h"
#include "measure/sample_csv.h"
#include "report/session_report.h"
#include "support/clock.h"
#include "support/file.h"
#include "support/sha256.h"

namespace mete {
namespace {

Json ApplicationToJson(const ApplicationResult& application) {
  Json json;
  json["name"] = NameOf(application.spec);
  json["spec"] = ApplicationSpecToJson(application.spec);
  if (application.failure) json["failure"] = application.failure->message();
  std::vector<Run> runs;
  json["runs"] = Json::array();
  for (const ApplicationRun& done : application.runs) {
    json["runs"].push_back(RunToJson(done.run));
    runs.push_back(done.run);
  }
  json["summary"] = RepeatSummaryToJson(SummariseRepeats(runs));
  return json;
}

std::string CsvCell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

// Every line of `csv` but the heading, with `cells` in front.
std::string Prefixed(const std::string& csv, const std::string& cells) {
  std::string text;
  size_t line = csv.find('\n') + 1;
  while (line < csv.size()) {
    size_t end = csv.find('\n', line) + 1;
    text += cells + csv.substr(line, end - line);
    line = end;
  }
  return text;
}

}  // namespace

Json ProfileToJson(const SessionResult& session) {
  Json json;
  json["schema_version"] = kProfileSchemaVersion;
  json["session"] = session.spec.name;
  json["started_at"] = FormatUtc(session.started_at);
  json["seconds"] = session.seconds;
  json["order"] = NameOf(session.spec.order);
  json["interrupted"] = session.interrupted;
  json["mete_version"] = session.mete_version;
  json["spec"]["file"] = session.spec.file.string();
  json["spec"]["sha256"] = Sha256Of(session.spec.text);
  json["spec"]["text"] = session.spec.text;
  json["device"] = DeviceToJson(session.device);
  json["applications"] = Json::array();
  for (const ApplicationResult& application : session.applications) {
    json["applications"].push_back(ApplicationToJson(application));
  }
  return json;
}

std::string SessionSamplesCsv(const SessionResult& session) {
  std::string text = "application,run," + SamplesCsv({});
  for (const ApplicationResult& application : session.applications) {
    for (size_t i = 0; i < application.runs.size(); ++i) {
      text += Prefixed(SamplesCsv(application.runs[i].samples),
                       CsvCell(NameOf(application.spec)) + "," +
                           std::to_string(i + 1) + ",");
    }
  }
  return text;
}

Status WriteSessionFiles(const SessionResult& session) {
  const SessionFormats& formats = session.spec.formats;
  std::error_code error;
  std::filesystem::create_directories(session.folder, error);
  if (error) {
    return SystemError("create " + session.folder.string(), error.value());
  }
  if (formats.csv) {
    RETURN_IF_ERROR(WriteFileAtomically(session.folder / kSamplesFile,
                                        SessionSamplesCsv(session)));
  }
  if (formats.json) {
    RETURN_IF_ERROR(
        WriteFileAtomically(session.folder / "profile.json",
                            DumpJson(ProfileToJson(session)) + "\n"));
  }
  if (formats.html) {
    RETURN_IF_ERROR(WriteFileAtomically(session.folder / "report.html",
                                        ReportPage(ReportOf(session))));
  }
  return {};
}

}  // namespace mete
