#include "wiring/target_actuator.h"

#include <unistd.h>

#include "adapters/docker/container_actuator.h"
#include "adapters/docker/engine_endpoint.h"

namespace mete {

TargetActuator::TargetActuator(EnvironmentLookup environment)
    : environment_(std::move(environment)), groups_(SystemRoot(), getpid()) {}

Result<Actuator*> TargetActuator::For(const ControlTarget& target) {
  if (target.kind != ControlTarget::Kind::kContainer) return &groups_;
  if (containers_ == nullptr) {
    ASSIGN_OR_RETURN(Endpoint endpoint,
                     FindEngine({.environment = environment_}));
    containers_ = std::make_unique<ContainerActuator>(std::move(endpoint));
  }
  return containers_.get();
}

Result<LimitHandle> TargetActuator::Find(const ControlTarget& target,
                                         ControlKnob knob) {
  ASSIGN_OR_RETURN(Actuator * actuator, For(target));
  return actuator->Find(target, knob);
}

Result<std::optional<double>> TargetActuator::Read(const LimitHandle& handle) {
  ASSIGN_OR_RETURN(Actuator * actuator, For(handle.target));
  return actuator->Read(handle);
}

bool TargetActuator::HasEnded(const LimitHandle& handle) {
  auto actuator = For(handle.target);
  return actuator.ok() && (*actuator)->HasEnded(handle);
}

Status TargetActuator::Write(const LimitHandle& handle,
                             std::optional<double> value) {
  ASSIGN_OR_RETURN(Actuator * actuator, For(handle.target));
  return actuator->Write(handle, value);
}

Status TargetActuator::Release(const LimitHandle& handle) {
  ASSIGN_OR_RETURN(Actuator * actuator, For(handle.target));
  return actuator->Release(handle);
}

}  // namespace mete
