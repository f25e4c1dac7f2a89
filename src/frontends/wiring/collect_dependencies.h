// What the commands that collect, learn, predict and control need, taken from
// the parts of the system.
#pragma once

#include "cli/devices_command.h"
#include "cli/predict_command.h"
#include "collect/collect.h"
#include "control/controller.h"
#include "train/calibrate_device.h"
#include "wiring/system.h"

namespace mete {

// Each borrows from `system`, and fails when a store cannot be opened.
Result<CollectDependencies> ForCollecting(System& system);
Result<DevicesDependencies> ForDevices(System& system);
Result<CalibrateDependencies> ForCalibration(System& system);
PredictCommandDependencies ForPrediction(System& system);
ControllerDependencies ForController(System& system);

}  // namespace mete
