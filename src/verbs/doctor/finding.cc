#include "doctor/finding.h"

#include <fmt/format.h>

#include <algorithm>

#include "support/check.h"
#include "support/json.h"
#include "support/table.h"
#include "support/text.h"

namespace mete {
namespace {

constexpr size_t kWidth = 80;
constexpr size_t kStateWidth = 9;  // "limited" and two blanks

void AppendWrapped(std::string& table, const std::string& first,
                   const std::string& text) {
  std::string margin = first;
  for (const std::string& line : WrapLines(text, kWidth - first.size())) {
    table += margin + line + '\n';
    margin.assign(first.size(), ' ');
  }
}

}  // namespace

std::string_view ToString(FindingState state) {
  switch (state) {
    case FindingState::kOk:
      return "ok";
    case FindingState::kLimited:
      return "limited";
    case FindingState::kMissing:
      return "missing";
  }
  CHECK(false) << "state without a name: " << static_cast<int>(state);
  return "";
}

std::string DoctorTable(const std::vector<Finding>& findings) {
  size_t subject_width = 0;
  for (const Finding& finding : findings) {
    subject_width = std::max(subject_width, finding.subject.size() + 2);
  }
  std::string table;
  for (const Finding& finding : findings) {
    std::string head = fmt::format("{:<{}}{:<{}}", ToString(finding.state),
                                   kStateWidth, finding.subject, subject_width);
    AppendWrapped(table, head, finding.seen);
    if (finding.advice.empty()) continue;
    AppendWrapped(table, std::string(head.size(), ' ') + "-> ", finding.advice);
  }
  return table;
}

std::string DoctorCsv(const std::vector<Finding>& findings) {
  Table table({{"subject"}, {"state"}, {"seen"}, {"advice"}});
  for (const Finding& finding : findings) {
    table.AddRow({finding.subject, std::string(ToString(finding.state)),
                  finding.seen, finding.advice});
  }
  return table.Csv();
}

Json DoctorToJson(const std::vector<Finding>& findings) {
  Json json = Json::array();
  for (const Finding& finding : findings) {
    Json entry;
    entry["subject"] = finding.subject;
    entry["state"] = ToString(finding.state);
    entry["seen"] = finding.seen;
    if (!finding.advice.empty()) entry["advice"] = finding.advice;
    json.push_back(std::move(entry));
  }
  return json;
}

}  // namespace mete
