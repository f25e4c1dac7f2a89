#include "measure/application_yaml.h"

#include <fmt/format.h>

#include "measure/container_options.h"
#include "support/nearest.h"
#include "support/words.h"

namespace mete {
namespace {

using std::filesystem::path;

// A list of words, or one line split as a shell would.
YamlTaker TakeWords(std::vector<std::string>& target) {
  return [&target](const YamlValue& value) -> Status {
    if (value.kind == YamlValue::Kind::kText) {
      ASSIGN_OR_RETURN(target, SplitWords(value.text));
    } else {
      ASSIGN_OR_RETURN(target, YamlTexts(value));
    }
    if (target.empty()) return InvalidInput("is empty");
    return {};
  };
}

YamlTaker TakeTexts(std::vector<std::string>& target) {
  return [&target](const YamlValue& value) -> Status {
    ASSIGN_OR_RETURN(target, YamlTexts(value));
    return {};
  };
}

YamlTaker TakePath(path& target, const path& base) {
  return TakeText(
      [base](const std::string& text) -> Result<path> {
        if (text.empty()) return InvalidInput("is empty");
        return (base / text).lexically_normal();
      },
      target);
}

// NAME: VALUE lines, or a list of NAME=VALUE.
YamlTaker TakeVariables(std::map<std::string, std::string>& target) {
  return [&target](const YamlValue& value) -> Status {
    if (value.kind == YamlValue::Kind::kMap) {
      for (const YamlEntry& entry : value.entries) {
        if (entry.value.kind != YamlValue::Kind::kText) {
          return entry.value.Fail("wants a single value");
        }
        target.insert_or_assign(entry.key, entry.value.text);
      }
      return {};
    }
    ASSIGN_OR_RETURN(auto texts, YamlTexts(value));
    for (const std::string& text : texts) {
      ASSIGN_OR_RETURN(auto variable, ParseVariable(text));
      target.insert_or_assign(variable.first, variable.second);
    }
    return {};
  };
}

// A whole number from 1 to `most`.
template <typename Number>
YamlTaker TakeCount(uint64_t most, std::optional<Number>& target) {
  return TakeText(
      [most](const std::string& text) -> Result<Number> {
        ASSIGN_OR_RETURN(uint64_t count, ParseCount(text));
        if (count < 1 || count > most) {
          return InvalidInput(
              fmt::format("{} is not from 1 to {}", text, most));
        }
        return static_cast<Number>(count);
      },
      target);
}

YamlTaker TakeLimits(Limits& limits) {
  return [&limits](const YamlValue& block) {
    return ReadYamlMap(block,
                       {{"memory", TakeText(ParseBytes, limits.memory)},
                        {"cpus", TakeText(ParseMillicores, limits.cpus)},
                        {"cpuset", TakeText(
                                       [](const std::string& text) {
                                         return Result<std::string>(text);
                                       },
                                       limits.cpuset)},
                        {"processes", TakeCount(UINT32_MAX, limits.processes)},
                        {"threads", TakeCount(1024, limits.threads)},
                        {"swap", TakeTruth(limits.swap)}});
  };
}

YamlTaker TakeMounts(std::vector<Mount>& mounts, const path& base) {
  return [&mounts, base](const YamlValue& value) -> Status {
    ASSIGN_OR_RETURN(auto texts, YamlTexts(value));
    mounts.clear();
    for (const std::string& text : texts) {
      ASSIGN_OR_RETURN(Mount mount, ParseMount(text, base));
      mounts.push_back(std::move(mount));
    }
    return {};
  };
}

// Names for the most usual options, and `options` for words of docker run.
Status ReadDocker(const YamlValue& block, const path& base,
                  ApplicationDraft& draft) {
  ContainerSettings& container = draft.container;
  std::vector<std::string> devices;
  std::vector<std::string> words;
  RETURN_IF_ERROR(ReadYamlMap(
      block,
      {{"network", TakeText(container.network)},
       {"devices", TakeTexts(devices)},
       {"runtime", TakeText(container.runtime)},
       {"user", TakeText(container.user)},
       {"shm", TakeText(ParseBytes, container.shared_memory)},
       {"privileged", TakeTruth(container.privileges.privileged)},
       {"host_processes", TakeTruth(container.privileges.host_processes)},
       {"capabilities", TakeTexts(container.privileges.capabilities)},
       {"security_options", TakeTexts(container.privileges.security_options)},
       {"options", TakeWords(words)}}));
  for (const std::string& device : devices) {
    words.insert(words.end(), {"--device", device});
  }
  ContainerOptions options{.settings = container};
  RETURN_IF_ERROR(ReadContainerOptions(words, base, options));
  container = options.settings;
  draft.spec.environment.merge(options.environment);
  return {};
}

bool Has(const YamlValue& block, const std::string& key) {
  for (const YamlEntry& entry : block.entries) {
    if (entry.key == key) return true;
  }
  return false;
}

}  // namespace

YamlTaker TakeProbes(ProbeChoice& probes) {
  return [&probes](const YamlValue& value) -> Status {
    ASSIGN_OR_RETURN(auto names, YamlTexts(value));
    probes = {.machine = false, .hooks = false};
    for (const std::string& name : names) {
      if (name == "machine") {
        probes.machine = true;
      } else if (name == "hooks") {
        probes.hooks = true;
      } else {
        return InvalidInput(
            fmt::format("unknown probe '{}'{}", name,
                        DidYouMean(name, {"machine", "hooks"})));
      }
    }
    return {};
  };
}

Status ReadApplication(const YamlValue& block, const path& base,
                       ApplicationDraft& draft) {
  ApplicationSpec& spec = draft.spec;
  // What a block says to run replaces what the defaults said, whole.
  if (Has(block, "command")) draft.container.image.clear();
  if (Has(block, "image")) spec.command.clear();
  std::optional<uint64_t> repeat;
  std::string folder;
  RETURN_IF_ERROR(
      ReadYamlMap(block, {{"name", TakeText(spec.name)},
                          {"command", TakeWords(spec.command)},
                          {"image", TakeText(draft.container.image)},
                          {"args", TakeWords(spec.command)},
                          {"pull", TakeText(ParsePullPolicy, spec.pull)},
                          {"folder", TakeText(folder)},
                          {"env", TakeVariables(spec.environment)},
                          {"dataset", TakePath(spec.dataset, base)},
                          {"instructions", TakeText(spec.instructions)},
                          {"limits", TakeLimits(spec.limits)},
                          {"timeout", TakeText(ParseTimeout, spec.timeout)},
                          {"grace", TakeText(ParseDuration, spec.grace)},
                          {"repeat", TakeCount(10'000, repeat)},
                          {"sample", TakeText(ParseHertz, spec.sample_hertz)},
                          {"probes", TakeProbes(spec.probes)},
                          {"mounts", TakeMounts(draft.container.mounts, base)},
                          {"docker", [&](const YamlValue& value) {
                             return ReadDocker(value, base, draft);
                           }}}));
  if (repeat) spec.repeat = *repeat;
  if (!folder.empty()) spec.folder = folder;
  return {};
}

Result<ApplicationSpec> FinishApplication(const YamlValue& block,
                                          const path& base,
                                          ApplicationDraft draft) {
  ApplicationSpec spec = std::move(draft.spec);
  if (Has(block, "command") && Has(block, "image")) {
    return block.Fail(
        "a command or an image, not both; what follows the image's entry "
        "point goes into 'args'");
  }
  if (!draft.container.image.empty()) {
    spec.container = std::move(draft.container);
    return spec;
  }
  for (const char* key : {"args", "mounts", "docker", "pull"}) {
    if (Has(block, key)) {
      return block.Fail(
          fmt::format("'{}' is for an image, not for a command", key));
    }
  }
  if (spec.command.empty()) {
    return block.Fail("a command or an image is wanted");
  }
  // Paths of a process are this machine's; a container has its own.
  spec.folder = spec.folder.empty() ? base : (base / spec.folder);
  spec.folder = spec.folder.lexically_normal();
  return spec;
}

}  // namespace mete
