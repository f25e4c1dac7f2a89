#include "linux/container_identity.h"

#include <algorithm>
#include <array>

#include "support/check.h"

namespace mete {
namespace {

constexpr size_t kIdDigits = 64;
constexpr size_t kShortDigits = 12;

bool IsHex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

bool IsEngineId(std::string_view text) {
  return text.size() == kIdDigits && std::ranges::all_of(text, IsHex);
}

// Prefixes that engines put before the id, with or without a ".scope" suffix.
struct Prefix {
  std::string_view text;
  ContainerRuntime runtime;
};
constexpr std::array kPrefixes{
    Prefix{"docker-", ContainerRuntime::kDocker},
    Prefix{"cri-containerd-", ContainerRuntime::kContainerd},
    Prefix{"nerdctl-", ContainerRuntime::kContainerd},
    Prefix{"crio-", ContainerRuntime::kCrio},
    Prefix{"libpod-", ContainerRuntime::kPodman},
    Prefix{"libpod-payload-", ContainerRuntime::kPodman}};

// Walks down a path and remembers the folders it has passed.
class Trail {
 public:
  // Returns true if the folder `name`, below those passed so far, is a
  // container.
  bool Enter(std::string_view name) {
    bool found =
        IsPrefixed(name) || IsPlainId(name) || IsService(name) || IsOurs(name);
    NotePod(name);
    parent_ = name;
    ++depth_;
    return found;
  }
  ContainerIdentity TakeIdentity() { return std::move(identity_); }

 private:
  bool Be(ContainerRuntime runtime, std::string_view id) {
    identity_.runtime = runtime;
    identity_.id = id;
    return true;
  }

  bool IsPrefixed(std::string_view name) {
    if (name.ends_with(".scope")) name.remove_suffix(6);
    for (const Prefix& prefix : kPrefixes) {
      if (!name.starts_with(prefix.text)) continue;
      std::string_view id = name.substr(prefix.text.size());
      if (IsEngineId(id)) return Be(prefix.runtime, id);
    }
    return false;
  }

  // Engines that do not use systemd name cgroups by the id alone; the parent
  // folder shows the engine. Docker under Kubernetes did the same.
  bool IsPlainId(std::string_view name) {
    if (!IsEngineId(name)) return false;
    if (parent_ == "docker") return Be(ContainerRuntime::kDocker, name);
    bool containerd = in_kubernetes_ || parent_ == "k8s.io" ||
                      parent_ == "default" || parent_ == "moby";
    return Be(
        containerd ? ContainerRuntime::kContainerd : ContainerRuntime::kOther,
        name);
  }

  bool IsService(std::string_view name) {
    constexpr std::string_view kEnd = ".service";
    bool found = depth_ == 1 && parent_ == "system.slice" &&
                 name.size() > kEnd.size() && name.ends_with(kEnd);
    if (!found) return false;
    return Be(ContainerRuntime::kSystemd, name);
  }

  // cgroups/group_folders.h creates these names.
  bool IsOurs(std::string_view name) {
    constexpr std::string_view kStart = "mete-app-";
    if (!name.starts_with(kStart) || name.size() == kStart.size()) return false;
    return Be(ContainerRuntime::kMete, name);
  }

  // "pod5a2b…" below kubepods, "kubepods-burstable-pod5a2b_….slice": slices use
  // underscores because dashes separate slice levels.
  void NotePod(std::string_view name) {
    constexpr std::string_view kSlice = ".slice";
    if (name.find("kubepods") != name.npos) in_kubernetes_ = true;
    if (!in_kubernetes_) return;
    size_t start = 0;
    if (name.ends_with(kSlice)) {
      name.remove_suffix(kSlice.size());
      start = name.rfind("-pod");
      if (start == name.npos) return;
      ++start;
    }
    name.remove_prefix(start);
    if (!name.starts_with("pod")) return;
    std::string uid(name.substr(3));
    std::ranges::replace(uid, '_', '-');
    bool plain =
        uid.size() >= 32 && uid.size() <= 36 &&
        std::ranges::all_of(uid, [](char c) { return IsHex(c) || c == '-'; });
    if (plain) identity_.pod = uid;
  }

  std::string_view parent_;
  int depth_ = 0;
  bool in_kubernetes_ = false;
  ContainerIdentity identity_;
};

}  // namespace

const char* ToString(ContainerRuntime runtime) {
  switch (runtime) {
    case ContainerRuntime::kDocker:
      return "docker";
    case ContainerRuntime::kContainerd:
      return "containerd";
    case ContainerRuntime::kCrio:
      return "crio";
    case ContainerRuntime::kPodman:
      return "podman";
    case ContainerRuntime::kSystemd:
      return "systemd";
    case ContainerRuntime::kMete:
      return "mete";
    case ContainerRuntime::kOther:
      return "other";
  }
  CHECK(false);
}

std::string ContainerIdentity::ShortName() const {
  return IsEngineId(id) ? id.substr(0, kShortDigits) : id;
}

std::optional<ContainerIdentity> IdentifyContainer(std::string_view group) {
  Trail trail;
  size_t at = 0;
  while (at < group.size()) {
    if (group[at] == '/') {
      ++at;
      continue;
    }
    size_t end = std::min(group.find('/', at), group.size());
    if (trail.Enter(group.substr(at, end - at))) {
      ContainerIdentity identity = trail.TakeIdentity();
      identity.group = group.substr(0, end);
      return identity;
    }
    at = end;
  }
  return std::nullopt;
}

}  // namespace mete
