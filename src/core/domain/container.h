// Settings of an application's container, apart from its limits.
#pragma once

#include <compare>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "support/units.h"

namespace mete {

// A folder or file of this machine mounted in the container.
struct Mount {
  std::filesystem::path source;  // absolute
  std::string target;            // absolute, in the container
  bool read_only = false;
  auto operator<=>(const Mount&) const = default;
};

// A device node that is passed to the container.
struct DeviceNode {
  std::string source;  // "/dev/video0"
  std::string target;  // the same unless given
  std::string permissions = "rwm";
  auto operator<=>(const DeviceNode&) const = default;
};

// Everything that gives a container more privileges than usual; separate, so
// that it can be rejected as a whole.
struct ContainerPrivileges {
  bool privileged = false;
  bool engine_socket = false;             // may access the engine's socket
  bool host_processes = false;            // can see and signal host processes
  std::vector<std::string> capabilities;  // in addition to the default ones
  std::vector<std::string> security_options;  // "seccomp=unconfined"
  auto operator<=>(const ContainerPrivileges&) const = default;
};

// When to pull an image from the registry.
enum class PullPolicy { kMissing, kAlways, kNever };

// How to create the container.
struct ContainerSettings {
  std::string image;  // reference, as given
  std::vector<Mount> mounts;
  std::vector<DeviceNode> devices;
  std::string runtime;  // "nvidia"; empty: the engine's default
  std::string network;  // "host", "none", a name; empty: the engine's default
  std::string user;     // "1000:1000"; empty: the image's
  std::optional<Bytes> shared_memory;  // /dev/shm; absent: the engine's default
  ContainerPrivileges privileges;
  auto operator<=>(const ContainerSettings&) const = default;
};

}  // namespace mete
