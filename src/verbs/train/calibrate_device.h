// Corrects the predictor for a device it has not seen: runs a few well-chosen
// networks there and keeps what they took.
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

struct CalibrateRequest {
  std::string device;    // name or id, of this machine
  size_t networks = 10;  // to run, chosen to tell most
  Seconds time{1.5};     // of one run
  std::string mete_version;
};

struct CalibrateDependencies {
  CollectDependencies collecting;
  // The predictor as it was trained: a calibration is never built on another.
  std::function<Result<std::shared_ptr<const TreePredictor>>()>
      trained_predictor;
  std::filesystem::path folder;  // of the predictors
};

struct DeviceCalibration {
  std::string device;
  size_t runs = 0;
  double before = 0;  // median relative error
  double after = 0;   // the same, corrected by runs of other networks alone
  std::filesystem::path file;
};

// Measures the device first when its engine was not. What ran before under the
// same conditions is not run again. Fails with kInvalidInput when the device is
// another machine, with kUnavailable when too few networks completed, and with
// kInterrupted when it was stopped.
Result<DeviceCalibration> CalibrateDevice(const CalibrateRequest& request,
                                          const CalibrateDependencies& needs,
                                          const CollectCallbacks& callbacks,
                                          std::stop_token stop);

}  // namespace mete
