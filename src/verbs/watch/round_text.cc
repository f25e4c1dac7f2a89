#include "watch/round_text.h"

#include <fmt/format.h>

#include <cmath>

#include "support/json.h"

namespace mete {
namespace {

std::string PeriodCell(const RoundObject& object) {
  if (!object.period) return "-";
  return fmt::format("{} ({}, {:.0f} %)", FormatSeconds(object.period->length),
                     object.period_of, object.period->confidence * 100);
}

std::string ChangeCell(const RoundObject& object) {
  if (!object.failure.empty()) return "failed";
  return object.changed ? "changed" : "same";
}

}  // namespace

Table RoundTable(const RoundReport& report) {
  Table table({{"object"},
               {"CPU max", Align::kRight},
               {"memory max", Align::kRight},
               {"period"},
               {"kind"},
               {"state"}});
  for (const RoundObject& object : report.objects) {
    table.AddRow({ObjectText(object.object),
                  object.cpu_max ? fmt::format("{:.2f}", *object.cpu_max) : "-",
                  object.memory_max ? FormatByteCount(*object.memory_max) : "-",
                  PeriodCell(object), object.kind.empty() ? "-" : object.kind,
                  ChangeCell(object)});
  }
  return table;
}

Json RoundToJson(const RoundReport& report) {
  Json json;
  json["at"] = FormatUtc(report.at);
  json["changed"] = report.changed;
  json["failed"] = report.failed;
  json["postponed"] = report.postponed;
  json["seconds"] = report.took.count();
  json["cpu_seconds"] = report.cpu.count();
  json["warnings"] = report.warnings;
  json["objects"] = Json::array();
  for (const RoundObject& object : report.objects) {
    Json entry;
    entry["kind"] = object.object.kind;
    SetText(entry, "namespace", object.object.space);
    entry["name"] = object.object.name;
    entry["changed"] = object.changed;
    SetText(entry, "failure", object.failure);
    entry["annotations"] = Json::object();
    for (const auto& [key, value] : object.annotations) {
      auto document =
          value.starts_with('{') ? ParseJson(value) : Result<Json>(Json(value));
      entry["annotations"][key] = document.ok() ? *document : Json(value);
    }
    json["objects"].push_back(std::move(entry));
  }
  return json;
}

std::string RoundLine(const RoundReport& report, bool dry_run) {
  std::string line = fmt::format(
      "{}, {} {}, {}", Counted(report.objects.size(), "object"),
      FormatCount(report.changed), dry_run ? "would change" : "changed",
      FormatSeconds(report.took));
  if (report.failed > 0) {
    line += fmt::format(", {} failed", FormatCount(report.failed));
  }
  if (report.postponed > 0) {
    line += fmt::format(", {} postponed",
                        Counted(report.postponed, "analysis", "analyses"));
  }
  return line;
}

}  // namespace mete
