// Which container, service or measured process a control group stands for, by
// the names that container engines, systemd and mete give to groups.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace mete {

enum class ContainerRuntime {
  kDocker,
  kContainerd,
  kCrio,
  kPodman,
  kSystemd,  // a service of the machine
  kMete,     // what mete itself measures
  kOther,    // named as containers are, by an engine that cannot be told
};
const char* NameOf(ContainerRuntime runtime);

struct ContainerIdentity {
  ContainerRuntime runtime = ContainerRuntime::kOther;
  // 64 digits of an engine's container; else the name of the unit or group.
  std::string id;
  std::string pod;    // uid with dashes; "" outside of Kubernetes
  std::string group;  // of the whole container: "/docker/5a2b…"

  // What people call it: the first 12 digits, or the name as it is.
  std::string ShortName() const;

  bool operator==(const ContainerIdentity&) const = default;
};

// The outermost container that `group` lies in or is: groups that a container
// makes below its own belong to it. Absent when no part of the path is one.
std::optional<ContainerIdentity> IdentifyContainer(std::string_view group);

}  // namespace mete
