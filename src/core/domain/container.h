// How an application runs in a container, beside its limits.
#pragma once

#include <compare>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "support/units.h"

namespace mete {

// A folder or file of this machine as the container sees it.
struct Mount {
  std::filesystem::path source;  // absolute
  std::string target;            // absolute, in the container
  bool read_only = false;
  auto operator<=>(const Mount&) const = default;
};

// A device node given to the container.
struct DeviceNode {
  std::string source;  // "/dev/video0"
  std::string target;  // the same unless given
  std::string permissions = "rwm";
  auto operator<=>(const DeviceNode&) const = default;
};

// What widens the container's privilege beyond an ordinary one's is kept apart,
// so that it can be refused as a whole.
struct ContainerPrivileges {
  bool privileged = false;
  bool engine_socket = false;                 // may see the engine's own
  bool host_processes = false;                // sees and signals the host's
  std::vector<std::string> capabilities;      // added to the usual ones
  std::vector<std::string> security_options;  // "seccomp=unconfined"
  auto operator<=>(const ContainerPrivileges&) const = default;
};

// When to ask the registry for an image.
enum class PullPolicy { kMissing, kAlways, kNever };

struct ContainerSettings {
  std::string image;  // reference, as given
  std::vector<Mount> mounts;
  std::vector<DeviceNode> devices;
  std::string runtime;  // "nvidia"; empty: the engine's own
  std::string network;  // "host", "none", a name; empty: the engine's own
  std::string user;     // "1000:1000"; empty: the image's
  std::optional<Bytes> shared_memory;  // /dev/shm; absent: the engine's own
  ContainerPrivileges privileges;
  auto operator<=>(const ContainerSettings&) const = default;
};

}  // namespace mete
