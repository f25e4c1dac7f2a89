// Sends a change to whom it concerns: the container engine, or control groups.
#pragma once

#include <memory>

#include "adapters/throttle/cgroup_actuator.h"
#include "config/settings.h"
#include "ports/actuator.h"

namespace mete {

// The engine is looked for when a container is first named, and again after it
// was not there.
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
