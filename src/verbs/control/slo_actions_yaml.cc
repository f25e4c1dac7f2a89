#include "control/slo_actions_yaml.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "net/endpoint.h"

namespace mete {
namespace {

using Kind = ControlTarget::Kind;

Result<std::string> ParseHook(const std::string& text) {
  ASSIGN_OR_RETURN(Url url, ParseUrl(text));
  static_cast<void>(url);
  return text;
}

Result<double> ParseCpus(const std::string& text) {
  ASSIGN_OR_RETURN(Millicores cpus, ParseMillicores(text));
  if (cpus.count < 10) {
    return InvalidInput(fmt::format("'{}' is less than 0.01 CPUs", text));
  }
  return static_cast<double>(cpus.count) / 1000;
}

Result<double> ParseMemory(const std::string& text) {
  ASSIGN_OR_RETURN(Bytes bytes, ParseBytes(text));
  if (bytes < Mebibytes(4)) {
    return InvalidInput(fmt::format("'{}' is less than 4Mi", text));
  }
  return static_cast<double>(bytes.count);
}

Result<double> ParseStep(const std::string& text) {
  ASSIGN_OR_RETURN(double step, ParseRatio(text));
  if (step <= 0 || step >= 1) {
    return InvalidInput(fmt::format(
        "'{}' is not between 0 and 1; 0.5 halves the limit each time", text));
  }
  return step;
}

// Keys that name a target. Only one of them may be set.
YamlKeys TargetKeys(std::vector<ControlTarget>& found) {
  YamlKeys keys;
  for (auto [key, kind] : {std::pair{"container", Kind::kContainer},
                           std::pair{"process", Kind::kProcess},
                           std::pair{"group", Kind::kGroup}}) {
    keys.push_back(
        {key, [kind = kind, &found](const YamlValue& value) -> Status {
           if (value.kind != YamlValue::Kind::kText || value.text.empty()) {
             return InvalidInput("expected a name");
           }
           found.push_back({.kind = kind, .name = value.text});
           return {};
         }});
  }
  return keys;
}

Status CheckTargets(const YamlValue& block,
                    const std::vector<ControlTarget>& found) {
  if (found.size() == 1) return {};
  return block.Fail("expected one of container, process and group");
}

struct LimitDraft {
  std::vector<ControlTarget> targets;
  std::optional<double> cpus;
  std::optional<double> memory;
  std::optional<double> step;
  std::string at_least;
};

Result<LimitAction> FinishLimit(const YamlValue& block, LimitDraft draft) {
  RETURN_IF_ERROR(CheckTargets(block, draft.targets));
  if (draft.cpus && draft.memory) {
    return block.Fail("cpus and memory are two actions; list two limits");
  }
  if (!draft.cpus && !draft.memory && !draft.step) {
    return block.Fail("expected cpus, memory or step");
  }
  LimitAction action{.target = draft.targets.front(), .step = draft.step};
  action.knob = draft.memory ? ControlKnob::kMemory : ControlKnob::kCpus;
  action.to = draft.memory ? draft.memory : draft.cpus;
  bool memory = draft.memory.has_value();
  action.at_least = memory ? static_cast<double>(Mebibytes(4).count) : 0.01;
  if (draft.at_least.empty()) return action;
  auto least = memory ? ParseMemory(draft.at_least) : ParseCpus(draft.at_least);
  if (!least.ok()) return block.Fail("at_least: " + least.error().message());
  if (!action.step) return block.Fail("at_least has no effect without step");
  if (action.to && *least > *action.to) {
    return block.Fail("at_least is more than the limit itself");
  }
  action.at_least = *least;
  return action;
}

Result<LimitAction> ReadLimit(const YamlValue& block) {
  LimitDraft draft;
  YamlKeys keys = TargetKeys(draft.targets);
  keys.push_back({"cpus", TakeText(ParseCpus, draft.cpus)});
  keys.push_back({"memory", TakeText(ParseMemory, draft.memory)});
  keys.push_back({"step", TakeText(ParseStep, draft.step)});
  keys.push_back({"at_least", TakeText(draft.at_least)});
  RETURN_IF_ERROR(ReadYamlMap(block, keys, "limit."));
  return FinishLimit(block, std::move(draft));
}

Result<PauseAction> ReadPause(const YamlValue& block) {
  std::vector<ControlTarget> targets;
  RETURN_IF_ERROR(ReadYamlMap(block, TargetKeys(targets), "pause."));
  RETURN_IF_ERROR(CheckTargets(block, targets));
  return PauseAction{.target = targets.front()};
}

Result<ReplaceAction> ReadReplace(const YamlValue& block) {
  ReplaceAction action;
  RETURN_IF_ERROR(ReadYamlMap(
      block,
      {{"url", TakeText(ParseHook, action.url)}, {"app", TakeText(action.app)}},
      "replace."));
  if (action.url.empty() || action.app.empty()) {
    return block.Fail("replace requires url and app");
  }
  return action;
}

// Reads the block and appends the action.
template <typename Reader>
YamlTaker Append(Reader read, std::vector<ControlAction>& actions) {
  return [read, &actions](const YamlValue& value) -> Status {
    ASSIGN_OR_RETURN(auto action, read(value));
    actions.push_back(std::move(action));
    return {};
  };
}

Status ReadAction(const YamlValue& value, std::vector<ControlAction>& actions) {
  if (value.kind == YamlValue::Kind::kText && value.text == "log") {
    actions.push_back(LogAction{});
    return {};
  }
  if (value.kind != YamlValue::Kind::kMap || value.entries.size() != 1) {
    return value.Fail(
        "expected log, or one of webhook, limit, pause and replace with its "
        "settings");
  }
  auto webhook = [](const YamlValue& block) -> Result<WebhookAction> {
    WebhookAction action;
    RETURN_IF_ERROR(TakeText(ParseHook, action.url)(block));
    return action;
  };
  return ReadYamlMap(value, {{"webhook", Append(webhook, actions)},
                             {"limit", Append(ReadLimit, actions)},
                             {"pause", Append(ReadPause, actions)},
                             {"replace", Append(ReadReplace, actions)}});
}

}  // namespace

YamlTaker TakeActions(std::vector<ControlAction>& actions) {
  return [&actions](const YamlValue& value) -> Status {
    if (value.kind != YamlValue::Kind::kList) {
      return ReadAction(value, actions);
    }
    for (const YamlValue& item : value.items) {
      RETURN_IF_ERROR(ReadAction(item, actions));
    }
    return {};
  };
}

}  // namespace mete
