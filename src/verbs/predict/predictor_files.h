// Stores predictors as files in a folder. Falls back to the predictors bundled
// with the program when none have been trained.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "domain/latency_row.h"
#include "predict/latency_predictor.h"
#include "predict/tree_predictor.h"
#include "support/result.h"

namespace mete {

// "latency-full.json", "latency-counts.json", "energy-full.json".
std::string PredictorFileName(FeatureKind kind, Quantity quantity);

// Atomically replaces the predictor of the same kind and quantity. Creates the
// folder. Returns the path of the file.
Result<std::filesystem::path> SavePredictor(const std::filesystem::path& folder,
                                            const TreePredictor& predictor);

// A calibration is stored as its rows, all of one device, and fitted when it is
// read. Returns the path of the file.
Result<std::filesystem::path> SaveCalibration(
    const std::filesystem::path& folder, const std::vector<LatencyRow>& rows);

// Does nothing when the device has no calibration.
Status RemoveCalibration(const std::filesystem::path& folder,
                         const std::string& device);

// JSON documents of the bundled predictors. Empty: not bundled.
struct BundledPredictors {
  std::string_view full;
  std::string_view counts;
};

// Loads the predictors in the folder if it has one for latency, else the
// bundled ones. Trained predictors answer for the devices they were trained or
// calibrated on, the bundled ones for all others. Applies the calibrations in
// the folder to the full predictor.
// Fails with kUnavailable and says what to do when there are neither, and with
// kCorrupt or kUnsupported, naming the file that cannot be used.
Result<PredictorSet> LoadPredictors(
    const std::filesystem::path& folder,
    const BundledPredictors& bundled_predictors);

// Loads the full predictor alone, without calibrations. Fails as LoadPredictors
// does.
Result<std::shared_ptr<const TreePredictor>> LoadFullPredictor(
    const std::filesystem::path& folder,
    const BundledPredictors& bundled_predictors);

}  // namespace mete
