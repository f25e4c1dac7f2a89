// Changes limits through the container engine or directly in cgroups.
#pragma once

#include <memory>

#include "adapters/throttle/cgroup_actuator.h"
#include "config/settings.h"
#include "ports/actuator.h"

namespace mete {

// Dispatches by target. Connects to the container engine when a container is
// first named, and retries if that failed.
class TargetActuator final : public Actuator {
 public:
  explicit TargetActuator(EnvironmentLookup environment);

  Result<LimitHandle> Find(const ControlTarget& target,
                           ControlKnob knob) override;
  Result<std::optional<double>> Read(const LimitHandle& handle) override;
  bool HasEnded(const LimitHandle& handle) override;
  Status Write(const LimitHandle& handle, std::optional<double> value) override;
  Status Release(const LimitHandle& handle) override;

 private:
  Result<Actuator*> For(const ControlTarget& target);

  EnvironmentLookup environment_;
  CgroupActuator groups_;
  std::unique_ptr<Actuator> containers_;
};

}  // namespace mete
