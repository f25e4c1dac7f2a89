// Identifies the container, service or measured process behind a cgroup, from
// the names that container engines, systemd and mete give to cgroups.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace mete {

// The engine that created a container.
enum class ContainerRuntime {
  kDocker,
  kContainerd,
  kCrio,
  kPodman,
  kSystemd,  // a system service
  kMete,     // a workload measured by mete
  kOther,    // named like a container, by an unknown engine
};
const char* ToString(ContainerRuntime runtime);

// A container, service or measured process, identified by its cgroup.
struct ContainerIdentity {
  ContainerRuntime runtime = ContainerRuntime::kOther;
  // The 64 digits of an engine's container, or the name of the unit or cgroup.
  std::string id;
  std::string pod;    // uid with dashes; "" outside Kubernetes
  std::string group;  // cgroup of the whole container: "/docker/5a2b…"

  // A name for people: the first 12 digits, or the whole name of a unit.
  std::string ShortName() const;

  bool operator==(const ContainerIdentity&) const = default;
};

// The outermost container that `group` is or lies in: cgroups that a container
// creates below its own belong to it. Absent when there is none.
std::optional<ContainerIdentity> IdentifyContainer(std::string_view group);

}  // namespace mete
