// Predictors as files in a folder, and the starters that came with the program
// where nobody has trained any.
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

// Replaces the one of the same kind and quantity, whole or not at all; makes
// the folder. Returns where.
Result<std::filesystem::path> SavePredictor(const std::filesystem::path& folder,
                                            const TreePredictor& predictor);

// A calibration is its rows, all of one device: kept as a table and fitted when
// it is read. Returns where.
Result<std::filesystem::path> SaveCalibration(
    const std::filesystem::path& folder, const std::vector<LatencyRow>& rows);

// Does nothing when there is none.
Status RemoveCalibration(const std::filesystem::path& folder,
                         const std::string& device);

// The documents of the starters; empty ones are not there.
struct BundledPredictors {
  std::string_view full;
  std::string_view counts;
};

// From the folder, where a predictor for latency was saved; else the starters.
// Calibrations in the folder are laid over the full one.
// Fails with kUnavailable and what to do when there are neither, and with
// kCorrupt or kUnsupported naming the file that cannot be used.
Result<PredictorSet> LoadPredictors(
    const std::filesystem::path& folder,
    const BundledPredictors& bundled_predictors);

// The full predictor alone, without calibrations. Fails as LoadPredictors.
Result<std::shared_ptr<const TreePredictor>> LoadFullPredictor(
    const std::filesystem::path& folder,
    const BundledPredictors& bundled_predictors);

}  // namespace mete
