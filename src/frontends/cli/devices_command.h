// mete devices list|show|add|remove: the machines the store knows, this one
// first of all, and those it stands in for.
#pragma once

#include "cli/verb.h"
#include "collect/emulated_device.h"
#include "devices/remove_device.h"

namespace mete {

// The command adds the progress line.
struct DevicesDependencies {
  DeviceDependencies measuring;
  RemoveDeviceDependencies removing;
};

void AddDevicesCommand(Command root, Verbs& verbs,
                       Lazy<DevicesDependencies> dependencies);

}  // namespace mete
