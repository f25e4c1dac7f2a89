#include "measure/session_spec.h"

#include <fmt/format.h>

#include "measure/application_yaml.h"
#include "support/file.h"
#include "support/json.h"
#include "support/nearest.h"

namespace mete {
namespace {

using std::filesystem::path;

Result<SessionOrder> ParseOrder(const std::string& word) {
  for (SessionOrder order :
       {SessionOrder::kSequential, SessionOrder::kTogether}) {
    if (ToString(order) == word) return order;
  }
  return InvalidInput(
      fmt::format("'{}' is not sequential or together{}", word,
                  DidYouMean(word, {"sequential", "together"})));
}

YamlTaker TakeFormats(SessionFormats& formats) {
  return [&formats](const YamlValue& value) -> Status {
    ASSIGN_OR_RETURN(auto names, YamlTexts(value));
    formats = {.json = false, .csv = false, .html = false};
    for (const std::string& name : names) {
      if (name == "json") {
        formats.json = true;
      } else if (name == "csv") {
        formats.csv = true;
      } else if (name == "html") {
        formats.html = true;
      } else {
        return InvalidInput(
            fmt::format("unknown format '{}'{}", name,
                        DidYouMean(name, {"json", "csv", "html"})));
      }
    }
    return {};
  };
}

// Keeps a block for later, because the defaults must be read first wherever
// they are in the file.
YamlTaker Remember(YamlValue& block) {
  return [&block](const YamlValue& value) -> Status {
    block = value;
    return {};
  };
}

Status CheckNames(const SessionSpec& spec, const YamlValue& list) {
  for (size_t i = 0; i < spec.applications.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (DisplayName(spec.applications[i]) !=
          DisplayName(spec.applications[j])) {
        continue;
      }
      return list.items[i].Fail(
          fmt::format("two applications are called '{}'; give each a name",
                      DisplayName(spec.applications[i])));
    }
  }
  return {};
}

Status ReadApplications(const YamlValue& list, const YamlValue& defaults,
                        const path& base, ProbeChoice probes,
                        SessionSpec& spec) {
  ApplicationDraft usual{.spec = {.probes = probes}};
  RETURN_IF_ERROR(ReadApplication(defaults, base, usual));
  if (list.kind != YamlValue::Kind::kList || list.items.empty()) {
    return InvalidInput(
        fmt::format("{}: no applications; list at least one below "
                    "'applications:'",
                    list.where.empty() ? spec.file.string() : list.where));
  }
  for (const YamlValue& block : list.items) {
    ApplicationDraft draft = usual;
    RETURN_IF_ERROR(ReadApplication(block, base, draft));
    ASSIGN_OR_RETURN(ApplicationSpec application,
                     FinishApplication(block, base, std::move(draft)));
    spec.applications.push_back(std::move(application));
  }
  return CheckNames(spec, list);
}

}  // namespace

std::string_view ToString(SessionOrder order) {
  return order == SessionOrder::kSequential ? "sequential" : "together";
}

Result<SessionSpec> ParseSession(const std::string& text, const path& file) {
  SessionSpec spec{.file = file, .text = text};
  ASSIGN_OR_RETURN(YamlValue root, ParseYaml(text, file.string()));
  YamlValue defaults;
  YamlValue applications;
  ProbeChoice probes;
  RETURN_IF_ERROR(
      ReadYamlMap(root, {{"name", TakeText(spec.name)},
                         {"defaults", Remember(defaults)},
                         {"applications", Remember(applications)},
                         {"order", TakeText(ParseOrder, spec.order)},
                         {"probes", TakeProbes(probes)},
                         {"output", TakeFormats(spec.formats)}}));
  path base = std::filesystem::absolute(file).parent_path();
  RETURN_IF_ERROR(ReadApplications(applications, defaults, base, probes, spec));
  if (spec.name.empty()) spec.name = file.stem().string();
  return spec;
}

Result<SessionSpec> ReadSession(const path& file) {
  ASSIGN_OR_RETURN(std::string text, ReadFile(file));
  return ParseSession(text, file);
}

}  // namespace mete
