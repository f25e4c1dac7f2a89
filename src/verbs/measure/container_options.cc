#include "measure/container_options.h"

#include <fmt/format.h>

#include <functional>

#include "measure/application_spec.h"
#include "support/nearest.h"
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
    names.insert(names.end(), option.names.begin(), option.names.end());
  }
  return InvalidInput(fmt::format("unknown container option '{}'{}", name,
                                  DidYouMean(name, names)));
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
