#include "measure/container_privilege.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <string_view>

namespace mete {
namespace {

using std::filesystem::path;

// Whether `inner` is `outer` or lies below it; both normal.
bool Within(const path& inner, const path& outer) {
  path relative = inner.lexically_relative(outer);
  return !relative.empty() && *relative.begin() != "..";
}

// Who can talk to an engine can have it start a privileged container.
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
  // Engines of ordinary users listen below here.
  return Within("/run/user", source) ||
         (Within(source, "/run/user") && source.filename() != "pulse");
}

bool GovernsMachine(const path& source) {
  if (source == "/") return true;
  if (Within(source, "/dev/shm")) return false;
  for (const char* folder : {"/etc", "/proc", "/sys", "/dev", "/boot"}) {
    if (Within(source, folder)) return true;
  }
  return false;
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
          "the mount of {} reaches a container engine's socket, which rules "
          "the machine",
          mount.source.string());
    }
    if (!mount.read_only && GovernsMachine(source)) {
      return fmt::format("the mount of {} is writable and changes the machine",
                         mount.source.string());
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> WidenedPrivilege(const ContainerSettings& settings) {
  const ContainerPrivileges& wide = settings.privileges;
  if (wide.privileged) {
    return "--privileged gives the container every device and power of the "
           "machine";
  }
  if (wide.host_processes) {
    return "--pid=host lets the container see and end every process of the "
           "machine";
  }
  if (!wide.capabilities.empty()) {
    return "--cap-add " + wide.capabilities[0] +
           " gives the container a power that ordinary ones do not have";
  }
  if (!wide.security_options.empty()) {
    return "--security-opt " + wide.security_options[0] +
           " changes what holds the container back";
  }
  for (const Mount& mount : settings.mounts) {
    if (auto widened = WidenedBy(mount)) return widened;
  }
  return std::nullopt;
}

}  // namespace mete
