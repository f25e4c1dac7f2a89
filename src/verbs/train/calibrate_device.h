// Corrects the predictor for a device it was not trained on: runs a few
// well-chosen networks there and stores their times.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>

#include "collect/collect.h"
#include "predict/tree_predictor.h"
#include "support/result.h"
#include "support/units.h"

namespace mete {

// The device to calibrate and how much to measure.
struct CalibrateRequest {
  std::string device;    // name or id; must be this machine
  size_t networks = 10;  // number of networks to run
  Seconds time{1.5};     // duration of one run
  std::string mete_version;
};

// Ports and folders that a calibration needs.
struct CalibrateDependencies {
  CollectDependencies collecting;
  // Returns the predictor as it was trained. A calibration is never based on
  // another calibration.
  std::function<Result<std::shared_ptr<const TreePredictor>>()>
      trained_predictor;
  std::filesystem::path folder;  // folder of the predictors
};

// Errors of the predictor before and after calibration.
struct DeviceCalibration {
  std::string device;
  size_t runs = 0;
  double before = 0;  // median relative error
  // the same, when corrected with runs of other networks only
  double after = 0;
  // Empty: nothing was saved, because it would have made the error worse.
  std::filesystem::path file;
};

// Measures the engine on the device first if that is missing. Does not repeat
// runs that are stored with the same conditions. Fails with kInvalidInput when
// the device is another machine, with kUnavailable when too few networks
// completed, and with kInterrupted when stopped. Saves only a calibration that
// lowers the error; an earlier one of the device stays.
Result<DeviceCalibration> CalibrateDevice(const CalibrateRequest& request,
                                          const CalibrateDependencies& needs,
                                          const CollectCallbacks& callbacks,
                                          std::stop_token stop);

}  // namespace mete
