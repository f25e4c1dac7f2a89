// Settings of an application's container, apart from its limits.
#pragma once

#include <compare>
#include <cstdint>
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

// A folder of the container that is kept in memory (--tmpfs).
struct TemporaryFolder {
  std::string target;   // absolute, in the container
  std::string options;  // "size=64m,mode=1777"; empty: the engine's defaults
  auto operator<=>(const TemporaryFolder&) const = default;
};

// A resource limit of the container's processes (--ulimit), see setrlimit(2).
struct ProcessLimit {
  std::string name;  // "nofile"
  int64_t soft = 0;  // -1: unlimited
  int64_t hard = 0;
  auto operator<=>(const ProcessLimit&) const = default;
};

// The GPUs that are passed to the container (--gpus).
struct GpuChoice {
  static constexpr int kAll = -1;
  int count = 0;                     // any of them; kAll: every one
  std::vector<std::string> devices;  // by index or UUID; then `count` is 0
  auto operator<=>(const GpuChoice&) const = default;
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
  // Program instead of the image's entry point, "" for none; absent: the
  // image's.
  std::optional<std::string> entrypoint;
  std::optional<GpuChoice> gpus;  // absent: none
  std::vector<TemporaryFolder> temporary_folders;
  std::vector<ProcessLimit> process_limits;
  // "none", "private", "shareable", "host", "container:NAME"; empty: the
  // engine's default.
  std::string ipc;
  std::vector<std::string> groups;  // in addition to the user's own
  ContainerPrivileges privileges;
  auto operator<=>(const ContainerSettings&) const = default;
};

}  // namespace mete
