// mete calibrate: runs a few well-chosen networks on a device the predictor has
// not seen, and corrects the predictor for that device.
#pragma once

#include "cli/verb.h"
#include "train/calibrate_device.h"

namespace mete {

void AddCalibrateCommand(Command root, Verbs& verbs,
                         Lazy<CalibrateDependencies> dependencies);

}  // namespace mete
