// Changes limits of containers through their engine, so that it knows them.
#pragma once

#include <optional>
#include <string>

#include "adapters/docker/docker_api.h"
#include "linux/cgroup_paths.h"
#include "linux/system_root.h"
#include "ports/actuator.h"

namespace mete {

// Podman's compatible service cannot update limits and stores them nowhere but
// in the container's own cgroup, so for Podman they are changed there.
class ContainerActuator final : public Actuator {
 public:
  // An engine that hangs must not block a caller that watches other things,
  // too.
  static constexpr HttpPatience kPatience{.silence = std::chrono::seconds(5)};

  explicit ContainerActuator(Endpoint endpoint, SystemRoot root = SystemRoot())
      : api_(std::move(endpoint), kPatience), root_(std::move(root)) {}

  Result<LimitHandle> Find(const ControlTarget& target,
                           ControlKnob knob) override;
  Result<std::optional<double>> Read(const LimitHandle& handle) override;
  bool HasEnded(const LimitHandle& handle) override;
  Status Write(const LimitHandle& handle, std::optional<double> value) override;
  Status Release(const LimitHandle&) override { return {}; }

 private:
  // Fails with kNotFound when it is no longer running.
  Result<Json> Running(const std::string& id) const;
  // Fails with kInvalidInput when the container uses more than `limit`: under
  // cgroup v2 it would be killed.
  Status CheckUse(const std::string& id, double limit) const;
  // Fails with kPermissionDenied when this program runs in the container.
  Status CheckOther(const Json& container) const;
  Result<bool> IsPodman();
  // The folder of the container's own cgroup for the knob.
  Result<CgroupFolder> FindCgroup(const Json& container,
                                  ControlKnob knob) const;

  DockerApi api_;
  SystemRoot root_;
  std::optional<std::string> engine_;  // once known
};

// The body of the update request. `config` is the container's HostConfig: CPUs
// are given in the same form as before, because Docker does not allow mixing
// the forms.
Result<Json> MakeUpdate(ControlKnob knob, std::optional<double> value,
                        const Json& config);

}  // namespace mete
