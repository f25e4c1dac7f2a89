// Few-shot calibration: a handful of runs on a device that the predictor was
// not trained on say how it errs there.
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

// A predictor with what it was found to err by on one device; for all other
// devices it answers as before.
//
// The error in log seconds is a Gaussian process over where the network's
// predicted time goes: the shares of the classes of work, for which devices
// have factors of their own, its size and the load.
class CalibratedPredictor : public LatencyPredictor {
 public:
  // Fails with kInvalidInput when the rows are of several devices, when none
  // of them completed on a device of known speed, or when `base` predicts from
  // counts, which tell no work.
  static Result<CalibratedPredictor> Fit(
      std::shared_ptr<const TreePredictor> base,
      std::span<const LatencyRow> rows);

  // Corrects the node that has the device's name and is as large: another
  // machine of that name is another machine.
  std::vector<Estimate> Predict(const NetworkQuestion& question,
                                std::span<const ClusterNode* const> nodes,
                                Detail detail) const override;
  // On the calibrated device. Needs traits, as the base does.
  Estimate Predict(const NetworkQuestion& question,
                   const DeviceConditions& conditions) const;

  const std::string& origin() const override { return origin_; }
  const std::string& device() const { return device_; }
  bool Concerns(const ClusterNode& node) const;
  size_t rows() const { return rows_; }  // calibrated from

 private:
  CalibratedPredictor(std::shared_ptr<const TreePredictor> base,
                      const LatencyRow& any, size_t rows,
                      GaussianProcess errors);
  // What `base` told, corrected. The interval is never narrower than before:
  // networks are no better known than on the devices of the training.
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

// The calibrations of several devices over one predictor.
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

// Which networks to run first on a new device, best first: those that together
// tell most about all the others. Answers with one row of each as index into
// `rows`; rows of unknown devices are passed over.
std::vector<size_t> ChooseCalibrationNetworks(std::span<const LatencyRow> rows,
                                              size_t count);

}  // namespace mete
