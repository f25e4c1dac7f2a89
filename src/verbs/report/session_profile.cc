#include "report/session_profile.h"

#include <algorithm>

#include "domain/device_json.h"
#include "domain/run_json.h"
#include "measure/application_spec_json.h"
#include "measure/repeat_summary.h"
#include "measure/sample_csv.h"
#include "report/session_report.h"
#include "support/clock.h"
#include "support/csv.h"
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

// The samples of a run as a table of cells.
struct SampleRows {
  std::vector<std::string> label;
  std::vector<CsvRecord> records;  // the first one is the heading
};

// Writes tables under one heading. For a resumed session, whose earlier samples
// exist only as files; a file that is not CSV any more is left out.
std::string MergeRows(const std::vector<SampleRows>& tables) {
  std::vector<std::string> heading;
  for (const SampleRows& table : tables) {
    for (const std::string& name : table.records.front().cells) {
      if (std::ranges::find(heading, name) == heading.end()) {
        heading.push_back(name);
      }
    }
  }
  std::vector<std::string> first = {"application", "run"};
  first.insert(first.end(), heading.begin(), heading.end());
  std::string text = CsvLine(first);
  for (const SampleRows& table : tables) {
    const std::vector<std::string>& names = table.records.front().cells;
    for (size_t row = 1; row < table.records.size(); ++row) {
      const std::vector<std::string>& cells = table.records[row].cells;
      std::vector<std::string> line = table.label;
      for (const std::string& name : heading) {
        const auto found = std::ranges::find(names, name);
        const auto column = static_cast<size_t>(found - names.begin());
        line.push_back(column < cells.size() ? cells[column] : "");
      }
      text += CsvLine(line);
    }
  }
  return text;
}

std::string MergedSamples(const SessionResult& session) {
  std::vector<SampleRows> tables;
  for (const ApplicationResult& application : session.applications) {
    for (size_t i = 0; i < application.runs.size(); ++i) {
      const ApplicationRun& done = application.runs[i];
      auto records =
          ParseCsv(done.earlier_samples.empty() ? SamplesCsv(done.samples)
                                                : done.earlier_samples);
      if (!records.ok() || records->empty()) continue;
      tables.push_back(
          {.label = {DisplayName(application.spec), std::to_string(i + 1)},
           .records = *std::move(records)});
    }
  }
  return MergeRows(tables);
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
