// Makes the dependencies of the commands that collect, train, predict and
// control.
#pragma once

#include "cli/collect_command.h"
#include "cli/devices_command.h"
#include "cli/predict_command.h"
#include "collect/collect.h"
#include "control/controller.h"
#include "train/calibrate_device.h"
#include "wiring/system.h"

namespace mete {

// Each borrows from `system` and fails if a store cannot be opened.
Result<CollectDependencies> ForCollecting(System& system);
Result<CollectCluster> ForCollectingOnCluster(System& system);
Result<DevicesDependencies> ForDevices(System& system);
Result<CalibrateDependencies> ForCalibration(System& system);
PredictCommandDependencies ForPrediction(System& system);
MachineDependencies ForThisMachine(System& system);
ControllerDependencies ForController(System& system);

}  // namespace mete
