#include "measure/container_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>

#include "measure/application_spec.h"
#include "support/file.h"
#include "support/nearest.h"
#include "support/parse_number.h"
#include "support/text.h"

namespace mete {
namespace {

using std::filesystem::path;

Result<Mount> MakeMount(const std::string& source, const std::string& target,
                        const path& base) {
  if (source.empty() || !target.starts_with('/')) {
    return InvalidInput("requires a source and an absolute target");
  }
  path absolute = path(source).is_absolute() ? path(source) : base / source;
  return Mount{.source = absolute.lexically_normal(), .target = target};
}

// type=bind,source=/a,target=/b,readonly
Result<Mount> ParseLongMount(const std::string& text, const path& base) {
  std::string source;
  std::string target;
  bool read_only = false;
  for (const std::string& part : SplitAt(text, ',')) {
    size_t equals = part.find('=');
    std::string key = part.substr(0, equals);
    std::string value =
        equals == std::string::npos ? "" : part.substr(equals + 1);
    if (key == "type") {
      if (value != "bind") return InvalidInput("only type=bind is supported");
    } else if (key == "source" || key == "src") {
      source = value;
    } else if (key == "target" || key == "dst" || key == "destination") {
      target = value;
    } else if (key == "readonly" || key == "ro") {
      read_only = value.empty() || value == "true" || value == "1";
    } else {
      return InvalidInput(fmt::format(
          "unknown part '{}'{}", key,
          DidYouMean(key, {"type", "source", "target", "readonly"})));
    }
  }
  ASSIGN_OR_RETURN(Mount mount, MakeMount(source, target, base));
  mount.read_only = read_only;
  return mount;
}

Result<DeviceNode> ParseDevice(const std::string& text) {
  std::vector<std::string> parts = SplitAt(text, ':');
  DeviceNode device{.source = parts[0], .target = parts[0]};
  bool sound = parts.size() <= 3 && device.source.starts_with('/');
  if (parts.size() >= 2) device.target = parts[1];
  if (parts.size() == 3) device.permissions = parts[2];
  sound = sound && device.target.starts_with('/') &&
          device.permissions.find_first_not_of("rwm") == std::string::npos;
  if (!sound) {
    return InvalidInput(
        fmt::format("'{}' is not NODE[:NODE[:rwm]], as in /dev/video0", text));
  }
  return device;
}

// "all", "2" or "device=0,GPU-3a2f".
Result<GpuChoice> ParseGpus(const std::string& text) {
  // Shells that pass on docker's own quotes: --gpus '"device=0,1"'.
  std::string value = text;
  if (value.size() > 1 && value.front() == '"' && value.back() == '"') {
    value = value.substr(1, value.size() - 2);
  }
  auto wrong = [&] {
    return InvalidInput(
        fmt::format("'{}' is not all, a number or device=ID[,ID...]", text));
  };
  if (value == "all") return GpuChoice{.count = GpuChoice::kAll};
  constexpr std::string_view kDevice = "device=";
  if (value.starts_with(kDevice)) {
    GpuChoice gpus{.devices = SplitAt(value.substr(kDevice.size()), ',')};
    if (HasItem(gpus.devices, "")) return wrong();
    return gpus;
  }
  auto count = ParseNumber<int>(value);
  if (!count || *count < 1) return wrong();
  return GpuChoice{.count = *count};
}

// "/run" or "/run:size=64m,mode=1777".
Result<TemporaryFolder> ParseTemporaryFolder(const std::string& text) {
  size_t colon = text.find(':');
  TemporaryFolder folder{.target = text.substr(0, colon)};
  if (colon != std::string::npos) folder.options = text.substr(colon + 1);
  if (!folder.target.starts_with('/')) {
    return InvalidInput(
        fmt::format("'{}' is not TARGET[:OPTIONS], as in /run:size=64m", text));
  }
  return folder;
}

// "nofile=1024" or "nofile=1024:2048"; -1 is unlimited.
Result<ProcessLimit> ParseProcessLimit(const std::string& text) {
  const std::vector<std::string> names = {
      "core",    "cpu",      "data",   "fsize",      "locks",
      "memlock", "msgqueue", "nice",   "nofile",     "nproc",
      "rss",     "rtprio",   "rttime", "sigpending", "stack"};
  size_t equals = std::min(text.find('='), text.size());
  ProcessLimit limit{.name = text.substr(0, equals)};
  std::vector<std::string> values =
      SplitAt(text.substr(std::min(equals + 1, text.size())), ':');
  auto soft = ParseNumber<int64_t>(values.front());
  auto hard = ParseNumber<int64_t>(values.back());
  bool sound = values.size() <= 2 && soft && hard && *soft >= -1 && *hard >= -1;
  if (!sound) {
    return InvalidInput(
        fmt::format("'{}' is not NAME=SOFT[:HARD], as in nofile=1024", text));
  }
  if (!HasItem(names, limit.name)) {
    return InvalidInput(fmt::format("'{}' is not a resource; known: {}",
                                    limit.name, fmt::join(names, ", ")));
  }
  limit.soft = *soft;
  limit.hard = *hard;
  if (*hard != -1 && (*soft == -1 || *soft > *hard)) {
    return InvalidInput(
        fmt::format("'{}': the soft limit is above the hard one", text));
  }
  return limit;
}

Result<std::string> ParseIpc(const std::string& text) {
  constexpr std::string_view kContainer = "container:";
  bool other = text.starts_with(kContainer) && text.size() > kContainer.size();
  if (other || HasItem({"none", "private", "shareable", "host"}, text)) {
    return text;
  }
  return InvalidInput(fmt::format(
      "'{}' is not none, private, shareable, host or container:NAME", text));
}

// One option: its spellings, whether a value follows, and what it does.
struct Option {
  std::vector<std::string> names;
  bool takes_value = true;
  std::function<Status(const std::string& value)> apply;
};

std::vector<Option> OptionsFor(const path& base, ContainerOptions& options) {
  ContainerSettings& settings = options.settings;
  auto text = [](std::string& target) {
    return [&target](const std::string& value) -> Status {
      target = value;
      return {};
    };
  };
  auto list = [](std::vector<std::string>& target) {
    return [&target](const std::string& value) -> Status {
      target.push_back(value);
      return {};
    };
  };
  auto nothing = [](const std::string&) -> Status { return {}; };
  // Appends what `parse` makes of the value.
  auto parsed = [](auto parse, auto& target) {
    return [parse, &target](const std::string& value) -> Status {
      ASSIGN_OR_RETURN(auto item, parse(value));
      target.push_back(std::move(item));
      return {};
    };
  };
  return {
      {.names = {"-v", "--volume"},
       .apply = [&settings, base](const std::string& value) -> Status {
         ASSIGN_OR_RETURN(Mount mount, ParseMount(value, base));
         settings.mounts.push_back(std::move(mount));
         return {};
       }},
      {.names = {"--mount"},
       .apply = [&settings, base](const std::string& value) -> Status {
         ASSIGN_OR_RETURN(Mount mount, ParseLongMount(value, base));
         settings.mounts.push_back(std::move(mount));
         return {};
       }},
      {.names = {"-e", "--env"},
       .apply = [&options](const std::string& value) -> Status {
         ASSIGN_OR_RETURN(auto variable, ParseVariable(value));
         options.environment.insert_or_assign(variable.first, variable.second);
         return {};
       }},
      {.names = {"--device"},
       .apply = [&settings](const std::string& value) -> Status {
         ASSIGN_OR_RETURN(DeviceNode device, ParseDevice(value));
         settings.devices.push_back(std::move(device));
         return {};
       }},
      {.names = {"--runtime"}, .apply = text(settings.runtime)},
      {.names = {"--network", "--net"}, .apply = text(settings.network)},
      {.names = {"-u", "--user"}, .apply = text(settings.user)},
      {.names = {"--shm-size"},
       .apply = [&settings](const std::string& value) -> Status {
         ASSIGN_OR_RETURN(settings.shared_memory, ParseBytes(value));
         return {};
       }},
      {.names = {"--group-add"}, .apply = list(settings.groups)},
      {.names = {"--entrypoint"},
       .apply = [&settings](const std::string& value) -> Status {
         settings.entrypoint = value;
         return {};
       }},
      {.names = {"-w", "--workdir"},
       .apply = [&options](const std::string& value) -> Status {
         if (!value.starts_with('/')) {
           return InvalidInput(
               fmt::format("'{}' is not an absolute path", value));
         }
         options.folder = value;
         return {};
       }},
      {.names = {"--env-file"},
       .apply = [&options, base](const std::string& value) -> Status {
         if (value.empty()) return InvalidInput("requires a file");
         options.environment_files.push_back((base / value).lexically_normal());
         return {};
       }},
      {.names = {"--gpus"},
       .apply = [&settings](const std::string& value) -> Status {
         ASSIGN_OR_RETURN(settings.gpus, ParseGpus(value));
         return {};
       }},
      {.names = {"--tmpfs"},
       .apply = parsed(ParseTemporaryFolder, settings.temporary_folders)},
      {.names = {"--ulimit"},
       .apply = parsed(ParseProcessLimit, settings.process_limits)},
      {.names = {"--ipc"},
       .apply = [&settings](const std::string& value) -> Status {
         ASSIGN_OR_RETURN(settings.ipc, ParseIpc(value));
         return {};
       }},
      {.names = {"--privileged"},
       .takes_value = false,
       .apply = [&settings](const std::string&) -> Status {
         settings.privileges.privileged = true;
         return {};
       }},
      {.names = {"--pid"},
       .apply = [&settings](const std::string& value) -> Status {
         if (value != "host") return InvalidInput("only 'host' is supported");
         settings.privileges.host_processes = true;
         return {};
       }},
      {.names = {"--cap-add"}, .apply = list(settings.privileges.capabilities)},
      {.names = {"--security-opt"},
       .apply = list(settings.privileges.security_options)},
      // Common options for a terminal and for cleaning up. They have no effect
      // here.
      {.names = {"-i", "-t", "-it", "--rm", "--interactive", "--tty"},
       .takes_value = false,
       .apply = nothing}};
}

const Option* Find(const std::vector<Option>& options,
                   const std::string& name) {
  for (const Option& option : options) {
    for (const std::string& candidate : option.names) {
      if (candidate == name) return &option;
    }
  }
  return nullptr;
}

Error Unknown(const std::vector<Option>& options, const std::string& name) {
  std::vector<std::string> names;
  for (const Option& option : options) {
    names.push_back(fmt::format("{}", fmt::join(option.names, "/")));
  }
  return InvalidInput(
      fmt::format("unknown container option '{}'; supported: {}", name,
                  fmt::join(names, ", ")));
}

}  // namespace

Result<Mount> ParseMount(const std::string& text, const path& base) {
  std::vector<std::string> parts = SplitAt(text, ':');
  bool sound = parts.size() == 2 || parts.size() == 3;
  if (!sound) {
    return InvalidInput(fmt::format(
        "'{}' is not SOURCE:TARGET[:ro], as in data:/data:ro", text));
  }
  ASSIGN_OR_RETURN(
      Mount mount,
      MakeMount(parts[0], parts[1], base).While(fmt::format("'{}'", text)));
  if (parts.size() == 3) {
    for (const std::string& mode : SplitAt(parts[2], ',')) {
      if (mode == "ro") {
        mount.read_only = true;
      } else if (mode != "rw" && mode != "z" && mode != "Z") {
        return InvalidInput(
            fmt::format("'{}': '{}' is not ro or rw", text, mode));
      }
    }
  }
  return mount;
}

Status ReadEnvironmentFiles(ContainerOptions& options) {
  std::map<std::string, std::string> variables;
  for (const path& file : options.environment_files) {
    ASSIGN_OR_RETURN(std::string text, ReadFile(file));
    size_t number = 0;
    for (std::string line : SplitAt(text, '\n')) {
      ++number;
      if (line.ends_with('\r')) line.pop_back();
      if (line.empty() || line.starts_with('#')) continue;
      size_t equals = line.find('=');
      // The line is not quoted: it may be a secret.
      if (equals == 0 || equals == std::string::npos) {
        return InvalidInput(
            fmt::format("{}:{}: expected NAME=VALUE", file.string(), number));
      }
      variables.insert_or_assign(line.substr(0, equals),
                                 line.substr(equals + 1));
    }
  }
  options.environment.merge(variables);
  options.environment_files.clear();
  return {};
}

std::string FormatTemporaryFolder(const TemporaryFolder& folder) {
  return folder.options.empty() ? folder.target
                                : folder.target + ":" + folder.options;
}

std::string FormatProcessLimit(const ProcessLimit& limit) {
  return fmt::format("{}={}:{}", limit.name, limit.soft, limit.hard);
}

std::string FormatGpus(const GpuChoice& gpus) {
  if (!gpus.devices.empty()) {
    return fmt::format("device={}", fmt::join(gpus.devices, ","));
  }
  return gpus.count == GpuChoice::kAll ? "all" : std::to_string(gpus.count);
}

Status ReadContainerOptions(const std::vector<std::string>& arguments,
                            const path& base, ContainerOptions& options) {
  const std::vector<Option> known = OptionsFor(base, options);
  for (size_t i = 0; i < arguments.size(); ++i) {
    size_t equals = arguments[i].find('=');
    const std::string name = arguments[i].substr(0, equals);
    const Option* option = Find(known, name);
    if (option == nullptr) return Unknown(known, name);
    std::string value;
    if (equals != std::string::npos) {
      value = arguments[i].substr(equals + 1);
      if (!option->takes_value && value != "true") {
        return InvalidInput(name + " takes no value");
      }
    } else if (option->takes_value) {
      if (i + 1 == arguments.size())
        return InvalidInput(name + " requires a value");
      value = arguments[++i];
    }
    RETURN_IF_ERROR(option->apply(value).While(name));
  }
  return {};
}

}  // namespace mete
