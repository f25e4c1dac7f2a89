#include "measure/container_privilege.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

namespace mete {
namespace {

using std::filesystem::path;

// Whether `inner` is `outer` or lies below it. Both must be normalised.
bool Within(const path& inner, const path& outer) {
  path relative = inner.lexically_relative(outer);
  return !relative.empty() && *relative.begin() != "..";
}

// Anyone who can talk to an engine can start a privileged container.
constexpr std::array<const char*, 8> kEngineSockets = {
    "/run/docker.sock",
    "/var/run/docker.sock",
    "/run/podman/podman.sock",
    "/var/run/podman/podman.sock",
    "/run/containerd/containerd.sock",
    "/var/run/containerd/containerd.sock",
    "/run/crio/crio.sock",
    "/var/run/crio/crio.sock"};
constexpr std::array<std::string_view, 5> kSocketNames = {
    "docker.sock", "podman.sock", "containerd.sock", "crio.sock",
    "buildkitd.sock"};

bool ReachesEngine(const path& source) {
  for (std::string_view name : kSocketNames) {
    if (source.filename() == name) return true;
  }
  for (const char* socket : kEngineSockets) {
    if (Within(socket, source)) return true;
  }
  // Engines of ordinary users listen below this folder.
  return Within("/run/user", source) ||
         (Within(source, "/run/user") && source.filename() != "pulse");
}

// Folders with what the machine runs, boots from or is configured by. Write
// access to one of them, or to a parent folder, gives control of the machine.
constexpr std::array<const char*, 20> kSystemFolders = {"/etc",
                                                        "/proc",
                                                        "/sys",
                                                        "/dev",
                                                        "/boot",
                                                        "/usr",
                                                        "/lib",
                                                        "/lib32",
                                                        "/lib64",
                                                        "/libx32",
                                                        "/bin",
                                                        "/sbin",
                                                        "/root",
                                                        "/run",
                                                        "/var/run",
                                                        "/var/lib/docker",
                                                        "/var/lib/containerd",
                                                        "/var/lib/containers",
                                                        "/var/spool/cron",
                                                        "/home"};
// Harmless folders inside them: shared memory, USB sticks, a user's sound.
constexpr std::array<const char*, 3> kHarmless = {"/dev/shm", "/run/media",
                                                  "/run/user"};

// Whether the path holds a user's keys, or is a home folder, where keys and
// login scripts can be added.
bool HoldsKeys(const path& source) {
  if (source.parent_path() == "/home") return true;
  for (const path& part : source) {
    if (part == ".ssh") return true;
  }
  std::error_code ignored;
  return std::filesystem::exists(source / ".ssh", ignored);
}

bool GovernsMachine(const path& source) {
  for (const char* folder : kHarmless) {
    if (Within(source, folder)) return false;
  }
  for (const char* folder : kSystemFolders) {
    if (Within(folder, source)) return true;
    // Home folders hold ordinary data too: HoldsKeys checks them.
    bool users = std::string_view(folder) == "/home";
    if (!users && Within(source, folder)) return true;
  }
  return HoldsKeys(source);
}

// What holds passwords, keys or the data of other containers.
constexpr std::array<const char*, 12> kSecrets = {
    "/etc/shadow",         "/etc/gshadow",
    "/etc/ssl/private",    "/etc/ssh",
    "/etc/kubernetes",     "/root/.ssh",
    "/var/lib/mete",       "/var/lib/docker",
    "/var/lib/containerd", "/var/lib/containers",
    "/var/lib/kubelet",    "/var/lib/rancher"};
// The same in home folders.
constexpr std::array<const char*, 6> kSecretsAtHome = {
    ".ssh", ".gnupg", ".aws", ".kube", ".docker", ".local/state/mete"};

// Whether reading the path gives away passwords, keys or mete's own token.
bool HoldsSecrets(const path& source) {
  for (const char* secret : kSecrets) {
    if (Within(secret, source) || Within(source, secret)) return true;
  }
  const std::string text = source.string() + "/";
  for (const char* name : kSecretsAtHome) {
    std::error_code ignored;
    if (text.find(fmt::format("/{}/", name)) != std::string::npos ||
        std::filesystem::exists(source / name, ignored)) {
      return true;
    }
  }
  return false;
}

// "sda1", "nvme0n1p2", "dm-0": names of disks and partitions on Linux.
bool IsDiskName(std::string_view name) {
  constexpr std::string_view kDigits = "0123456789";
  for (std::string_view prefix : {"sd", "hd", "vd", "xvd"}) {
    if (!name.starts_with(prefix)) continue;
    std::string_view rest = name.substr(prefix.size());
    size_t letters = std::min(rest.find_first_of(kDigits), rest.size());
    bool parts = rest.find_first_not_of(kDigits, letters) == rest.npos;
    if (letters >= 1 && letters <= 2 && parts) return true;
  }
  for (std::string_view prefix :
       {"nvme", "mmcblk", "dm-", "loop", "md", "nbd", "zram", "sg"}) {
    if (!name.starts_with(prefix) || name.size() == prefix.size()) continue;
    if (kDigits.find(name[prefix.size()]) != kDigits.npos) return true;
  }
  return false;
}

// Checks only the name, because the node may be missing or not visible here.
bool IsRawByName(const path& node) {
  for (const char* name : {"/dev/mem", "/dev/kmem", "/dev/kmsg", "/dev/port",
                           "/dev/kvm", "/dev/uinput", "/dev/snapshot"}) {
    if (Within(name, node)) return true;  // also if the node is /dev itself
  }
  for (const char* folder :
       {"/dev/mapper", "/dev/disk", "/dev/block", "/dev/char", "/dev/input",
        "/dev/vfio", "/dev/cpu"}) {
    if (Within(node, folder)) return true;
  }
  if (node.parent_path() != "/dev") return false;
  const std::string name = node.filename().string();
  // Whoever opens a watchdog and leaves it alone restarts the machine.
  return name.starts_with("watchdog") || IsDiskName(name);
}

std::optional<std::string> WidenedBy(const DeviceNode& device) {
  std::error_code error;
  path given = path(device.source).lexically_normal();
  path real = std::filesystem::weakly_canonical(given, error);
  struct stat facts {};
  bool disk = stat(given.c_str(), &facts) == 0 && S_ISBLK(facts.st_mode);
  if (!disk && !IsRawByName(given) && (error || !IsRawByName(real))) {
    return std::nullopt;
  }
  return fmt::format(
      "--device {} gives the container access to a disk, to the machine's "
      "memory, to virtual machines, to its input or to its watchdog",
      device.source);
}

std::optional<std::string> WidenedBy(const Mount& mount) {
  std::error_code error;
  path real = std::filesystem::weakly_canonical(mount.source, error);
  path given = mount.source.lexically_normal();
  for (path source : {given, error ? given : real}) {
    // "/run/" and "/run" are the same folder.
    if (!source.has_filename() && source.has_parent_path() && source != "/") {
      source = source.parent_path();
    }
    if (ReachesEngine(source)) {
      return fmt::format(
          "the mount of {} reaches a container engine's socket, which controls "
          "the machine",
          mount.source.string());
    }
    if (!mount.read_only && GovernsMachine(source)) {
      return fmt::format(
          "the mount of {} is writable and could change the machine",
          mount.source.string());
    }
    if (HoldsSecrets(source)) {
      return fmt::format(
          "the mount of {} shows passwords or keys of the machine",
          mount.source.string());
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> WidenedPrivilege(const ContainerSettings& settings) {
  const ContainerPrivileges& wide = settings.privileges;
  if (wide.privileged) {
    return "--privileged gives the container every device and privilege of the "
           "machine";
  }
  if (wide.host_processes) {
    return "--pid=host lets the container see and kill every process of the "
           "machine";
  }
  if (settings.network.starts_with("container:")) {
    return "--network " + settings.network +
           " lets the container read the traffic of another one";
  }
  if (settings.ipc == "host" || settings.ipc.starts_with("container:")) {
    return "--ipc=" + settings.ipc +
           " lets the container read and change the shared memory of processes "
           "outside it";
  }
  for (const ProcessLimit& limit : settings.process_limits) {
    if (limit.name != "rtprio" && limit.name != "nice") continue;
    return "--ulimit " + limit.name +
           " lets the container take the CPU from every other process";
  }
  if (!wide.capabilities.empty()) {
    return "--cap-add " + wide.capabilities[0] +
           " gives the container a privilege that ordinary ones do not have";
  }
  if (!wide.security_options.empty()) {
    return "--security-opt " + wide.security_options[0] +
           " weakens the isolation of the container";
  }
  for (const Mount& mount : settings.mounts) {
    if (auto widened = WidenedBy(mount)) return widened;
  }
  for (const DeviceNode& device : settings.devices) {
    if (auto widened = WidenedBy(device)) return widened;
  }
  return std::nullopt;
}

Status CheckPrivileges(const ContainerSettings& settings, bool allowed) {
  if (allowed) return {};
  auto widened = WidenedPrivilege(settings);
  if (!widened) return {};
  return InvalidInput(*widened + "; use --allow-privileged to allow it");
}

}  // namespace mete
