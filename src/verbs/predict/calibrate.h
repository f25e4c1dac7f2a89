// Few-shot calibration: corrects a predictor for a device that it was not
// trained on, with a handful of runs on that device.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "domain/latency_row.h"
#include "learn/gaussian_process.h"
#include "predict/latency_predictor.h"
#include "predict/tree_predictor.h"
#include "support/result.h"

namespace mete {

// A predictor corrected by the errors it was found to make on one device. For
// all other devices it answers as before.
//
// The error in log seconds is a Gaussian process over the composition of the
// network's predicted time (the share of each work class, since devices have a
// factor of their own for each), the size of the network and the load.
class CalibratedPredictor : public LatencyPredictor {
 public:
  // Fails with kInvalidInput when the rows are of several devices, when none of
  // them completed on a device of known speed, or when `base` predicts from
  // counts, which do not describe the work.
  static Result<CalibratedPredictor> Fit(
      std::shared_ptr<const TreePredictor> base,
      std::span<const LatencyRow> rows);

  // Corrects only the node that has the device's name and as many CPUs and
  // threads: otherwise it is another machine with the same name.
  std::vector<Estimate> Predict(const NetworkQuestion& question,
                                std::span<const ClusterNode* const> nodes,
                                Detail detail) const override;
  // For the calibrated device. Needs traits, as the base does.
  Estimate Predict(const NetworkQuestion& question,
                   const DeviceConditions& conditions) const;

  const std::string& origin() const override { return origin_; }
  const std::string& device() const { return device_; }
  // True when this calibration applies to `node`.
  bool Concerns(const ClusterNode& node) const;
  size_t rows() const { return rows_; }  // used for the calibration

 private:
  CalibratedPredictor(std::shared_ptr<const TreePredictor> base,
                      const LatencyRow& any, size_t rows,
                      GaussianProcess errors);
  // Corrects the estimate of `base`. The interval never becomes narrower:
  // networks are no better known here than on the training devices.
  Estimate Corrected(const Estimate& predicted, const NetworkQuestion& question,
                     const DeviceConditions& conditions) const;

  std::shared_ptr<const TreePredictor> base_;
  std::string device_;
  double cpus_ = 0;
  int threads_ = 0;
  size_t rows_ = 0;
  GaussianProcess errors_;
  std::string origin_;
};

// Combines the calibrations of several devices with one predictor.
class CalibratedDevices : public LatencyPredictor {
 public:
  CalibratedDevices(std::shared_ptr<const TreePredictor> base,
                    std::vector<CalibratedPredictor> devices);

  std::vector<Estimate> Predict(const NetworkQuestion& question,
                                std::span<const ClusterNode* const> nodes,
                                Detail detail) const override;
  const std::string& origin() const override { return origin_; }

 private:
  std::shared_ptr<const TreePredictor> base_;
  std::vector<CalibratedPredictor> devices_;
  std::string origin_;
};

// Chooses the networks to run first on a new device, best first: those that
// together say most about all the others. Returns one row of each as an index
// into `rows`. Skips rows of unknown devices.
std::vector<size_t> ChooseCalibrationNetworks(std::span<const LatencyRow> rows,
                                              size_t count);

}  // namespace mete
