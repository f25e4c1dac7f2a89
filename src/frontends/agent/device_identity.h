// The identity of the device, read once when the agent starts and used in the
// labels of every series.
#pragma once

#include <map>
#include <string>

#include "domain/device.h"
#include "linux/machine_kind.h"
#include "linux/system_root.h"

namespace mete {

// Names and describes the device.
struct DeviceIdentity {
  std::string node;  // its name in the cluster
  std::string uuid;  // formatted as a UUID, stable on this machine
  MachineKind kind = MachineKind::kComputer;
  DeviceFacts facts;

  // The class in the EdgeCloud-Mon agent's terms: "Computer" or "VM".
  const char* Class() const;
};

// Returns a UUID derived from a device ID (adapters/host/device_id.h), of
// version 8, which is for custom formats (RFC 9562, 5.8).
std::string MakeUuid(const std::string& device_id);

}  // namespace mete
