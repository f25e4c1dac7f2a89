// Who the device is: read once at the agent's start, the same in every series.
#pragma once

#include <map>
#include <string>

#include "domain/device.h"
#include "linux/machine_kind.h"
#include "linux/system_root.h"

namespace mete {

struct DeviceIdentity {
  std::string node;  // as the cluster names it
  std::string uuid;  // in the shape of a UUID, stable on this machine
  MachineKind kind = MachineKind::kComputer;
  DeviceFacts facts;

  // What the predecessor calls it: "Computer" or "VM".
  const char* Class() const;
};

// The UUID of a device id (adapters/host/device_id.h), which is a hash: of the
// version that is for numbers of one's own making (RFC 9562, 5.8).
std::string MakeUuid(const std::string& device_id);

}  // namespace mete
