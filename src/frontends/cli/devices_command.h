// mete devices list|show|add|remove: manages the devices in the store: this
// machine, those it emulates and imported ones.
#pragma once

#include "cli/verb.h"
#include "collect/emulated_device.h"
#include "devices/remove_device.h"

namespace mete {

// Dependencies of `mete devices`. The command adds the progress line.
struct DevicesDependencies {
  DeviceDependencies measuring;
  RemoveDeviceDependencies removing;
};

void AddDevicesCommand(Command root, Verbs& verbs,
                       Lazy<DevicesDependencies> dependencies);

}  // namespace mete
