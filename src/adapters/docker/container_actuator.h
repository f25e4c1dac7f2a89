// Limits of running containers, changed through their engine so that it knows.
#pragma once

#include <optional>
#include <string>

#include "adapters/docker/docker_api.h"
#include "ports/actuator.h"

namespace mete {

class ContainerActuator final : public Actuator {
 public:
  explicit ContainerActuator(Endpoint endpoint) : api_(std::move(endpoint)) {}

  Result<KnobHold> Find(const ControlTarget& target, ControlKnob knob) override;
  Result<std::optional<double>> Read(const KnobHold& hold) override;
  Status Write(const KnobHold& hold, std::optional<double> value) override;
  Status Release(const KnobHold&) override { return {}; }

 private:
  // Fails with kNotFound when it does not run any more.
  Result<Json> Running(const std::string& id) const;

  DockerApi api_;
};

// What the engine is asked to change. `config` is the container's HostConfig:
// CPUs are told in the words they were told in before, since docker refuses to
// mix them.
Result<Json> UpdateOf(ControlKnob knob, std::optional<double> value,
                      const Json& config);

}  // namespace mete
