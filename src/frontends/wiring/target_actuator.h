// Sends a change to whom it concerns: the container engine, or control groups.
#pragma once

#include <memory>

#include "adapters/throttle/group_actuator.h"
#include "config/settings.h"
#include "ports/actuator.h"

namespace mete {

// The engine is looked for when a container is first named, and again after it
// was not there.
class TargetActuator final : public Actuator {
 public:
  explicit TargetActuator(EnvironmentLookup environment);

  Result<KnobHold> Find(const ControlTarget& target, ControlKnob knob) override;
  Result<std::optional<double>> Read(const KnobHold& hold) override;
  bool HasEnded(const KnobHold& hold) override;
  Status Write(const KnobHold& hold, std::optional<double> value) override;
  Status Release(const KnobHold& hold) override;

 private:
  Result<Actuator*> For(const ControlTarget& target);

  EnvironmentLookup environment_;
  GroupActuator groups_;
  std::unique_ptr<Actuator> containers_;
};

}  // namespace mete
