// The state file of the controller: one object per held knob.

#include <array>
#include <utility>

#include "control/held_changes.h"
#include "support/json.h"

namespace mete {
namespace {

constexpr std::array kKnobs = {ControlKnob::kCpus, ControlKnob::kMemory,
                               ControlKnob::kPause};
constexpr std::array<std::pair<ControlTarget::Kind, const char*>, 3> kKinds = {
    {{ControlTarget::Kind::kContainer, "container"},
     {ControlTarget::Kind::kGroup, "group"},
     {ControlTarget::Kind::kProcess, "process"}}};

Json ChangeToJson(const HeldChange& change) {
  Json json;
  const LimitHandle& handle = change.handle;
  for (auto [kind, name] : kKinds) {
    if (kind == handle.target.kind) json["kind"] = name;
  }
  json["name"] = handle.target.name;
  json["knob"] = ToString(handle.knob);
  json["place"] = handle.place;
  json["version"] = handle.version;
  SetText(json, "home", handle.home);
  SetNumber(json, "before", change.before);
  SetNumber(json, "set", change.set);
  SetNumber(json, "earlier", change.earlier);
  json["rules"] = Json::object();
  for (const auto& [rule, value] : change.claims) json["rules"][rule] = value;
  return json;
}

Result<ControlTarget::Kind> ParseKind(const Json& text) {
  for (auto [kind, name] : kKinds) {
    if (text == name) return kind;
  }
  return Corrupt("unknown kind " + DumpJson(text));
}

Result<ControlKnob> ParseKnob(const Json& text) {
  for (ControlKnob knob : kKnobs) {
    if (text == ToString(knob)) return knob;
  }
  return Corrupt("unknown knob " + DumpJson(text));
}

// Throws as the JSON library does.
Result<HeldChange> ChangeFromJson(const Json& json) {
  HeldChange change;
  ASSIGN_OR_RETURN(change.handle.target.kind, ParseKind(json.at("kind")));
  change.handle.target.name = json.at("name").get<std::string>();
  ASSIGN_OR_RETURN(change.handle.knob, ParseKnob(json.at("knob")));
  change.handle.place = json.at("place").get<std::string>();
  change.handle.version = json.at("version").get<int>();
  change.handle.home = GetText(json, "home");
  change.before = GetOptional<double>(json, "before");
  change.set = GetOptional<double>(json, "set");
  change.earlier = GetOptional<double>(json, "earlier");
  return change;
}

}  // namespace

std::string_view ToString(ControlKnob knob) {
  switch (knob) {
    case ControlKnob::kCpus:
      return "cpus";
    case ControlKnob::kMemory:
      return "memory";
    case ControlKnob::kPause:
      return "paused";
  }
  return "";
}

Json HeldChangesToJson(const std::vector<HeldChange>& changes) {
  Json json;
  json["schema"] = 1;
  json["changes"] = Json::array();
  for (const HeldChange& change : changes) {
    json["changes"].push_back(ChangeToJson(change));
  }
  return json;
}

Result<std::vector<HeldChange>> HeldChangesFromJson(const Json& json) {
  using Changes = std::vector<HeldChange>;
  return ReadJson("held changes", [&]() -> Result<Changes> {
    Changes changes;
    for (const Json& each : json.at("changes")) {
      ASSIGN_OR_RETURN(HeldChange change, ChangeFromJson(each));
      changes.push_back(std::move(change));
    }
    return changes;
  });
}

}  // namespace mete
