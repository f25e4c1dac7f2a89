#include "predict/predictor_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "predict/calibrate.h"
#include "predict/seen_devices.h"
#include "support/file.h"
#include "support/json.h"
#include "support/sha256.h"

namespace mete {
namespace {

Result<TreePredictor> ParsePredictor(std::string_view document) {
  ASSIGN_OR_RETURN(Json json, ParseJson(document));
  return TreePredictor::FromJson(json);
}

using Loaded = std::shared_ptr<const TreePredictor>;

constexpr std::string_view kCalibration = "calibration-";

// Null when there is no such file.
Result<Loaded> LoadFile(const std::filesystem::path& path) {
  Result<std::string> text = ReadFile(path);
  if (!text.ok() && text.error().code() == ErrorCode::kNotFound) {
    return Loaded();
  }
  if (!text.ok()) return text.error();
  ASSIGN_OR_RETURN(TreePredictor predictor,
                   ParsePredictor(*text).While(path.string()));
  return Loaded(std::make_shared<TreePredictor>(std::move(predictor)));
}

Result<Loaded> LoadBundled(std::string_view document) {
  if (document.empty()) return Loaded();
  ASSIGN_OR_RETURN(TreePredictor read,
                   ParsePredictor(document).While("bundled predictor"));
  TreePredictor::Parts parts = read.parts();
  parts.provenance.bundled = true;
  return Loaded(std::make_shared<TreePredictor>(std::move(parts)));
}

// The devices of its training and `more`.
std::set<std::string> DevicesSeenBy(const TreePredictor& predictor,
                                    std::set<std::string> more) {
  const std::vector<std::string>& devices =
      predictor.parts().provenance.devices;
  more.insert(devices.begin(), devices.end());
  return more;
}

Error NoPredictor() {
  return Unavailable(
      "there is no predictor yet; measure with mete collect, then run "
      "mete train latency");
}

// Device names may contain characters that file names must not.
std::string CalibrationFileName(const std::string& device) {
  return fmt::format("{}{}.csv", kCalibration,
                     ComputeSha256(device).substr(0, 12));
}

// All calibrations in the folder, sorted by file name.
Result<std::vector<CalibratedPredictor>> LoadCalibrations(
    const std::filesystem::path& folder, const Loaded& base) {
  Result<std::vector<std::filesystem::path>> found = FilesIn(folder);
  if (!found.ok() && found.error().code() == ErrorCode::kNotFound) {
    return std::vector<CalibratedPredictor>();
  }
  if (!found.ok()) return found.error();
  std::vector<std::filesystem::path> files = *std::move(found);
  std::erase_if(files, [](const std::filesystem::path& file) {
    std::string name = file.filename();
    return !name.starts_with(kCalibration) || !name.ends_with(".csv");
  });
  std::vector<CalibratedPredictor> devices;
  for (const std::filesystem::path& file : files) {
    ASSIGN_OR_RETURN(std::string text, ReadFile(file));
    ASSIGN_OR_RETURN(std::vector<LatencyRow> rows,
                     ParseLatencyCsv(text).While(file.string()));
    ASSIGN_OR_RETURN(CalibratedPredictor device,
                     CalibratedPredictor::Fit(base, rows).While(file.string()));
    devices.push_back(std::move(device));
  }
  return devices;
}

}  // namespace

Result<std::filesystem::path> SaveCalibration(
    const std::filesystem::path& folder, const std::vector<LatencyRow>& rows) {
  CHECK(!rows.empty()) << "a calibration without runs";
  RETURN_IF_ERROR(MakeFolder(folder));
  std::string table = LatencyCsvHeader();
  for (const LatencyRow& row : rows) table += ToCsvLine(row);
  std::filesystem::path path = folder / CalibrationFileName(rows[0].device);
  RETURN_IF_ERROR(WriteFileAtomically(path, table));
  return path;
}

Status RemoveCalibration(const std::filesystem::path& folder,
                         const std::string& device) {
  std::filesystem::path path = folder / CalibrationFileName(device);
  std::error_code error;
  std::filesystem::remove(path, error);
  if (error) return SystemError("remove " + path.string(), error.value());
  return {};
}

std::string PredictorFileName(FeatureKind kind, Quantity quantity) {
  return fmt::format("{}-{}.json",
                     quantity == Quantity::kSeconds ? "latency" : "energy",
                     kind == FeatureKind::kFull ? "full" : "counts");
}

Result<std::filesystem::path> SavePredictor(const std::filesystem::path& folder,
                                            const TreePredictor& predictor) {
  RETURN_IF_ERROR(MakeFolder(folder));
  std::filesystem::path path =
      folder /
      PredictorFileName(predictor.parts().kind, predictor.parts().quantity);
  RETURN_IF_ERROR(
      WriteFileAtomically(path, DumpJson(predictor.ToJson()) + "\n"));
  return path;
}

Result<PredictorSet> LoadPredictors(
    const std::filesystem::path& folder,
    const BundledPredictors& bundled_predictors) {
  auto file = [&](FeatureKind kind, Quantity quantity) {
    return LoadFile(folder / PredictorFileName(kind, quantity));
  };
  PredictorSet set;
  ASSIGN_OR_RETURN(Loaded full, file(FeatureKind::kFull, Quantity::kSeconds));
  ASSIGN_OR_RETURN(Loaded counts,
                   file(FeatureKind::kCounts, Quantity::kSeconds));
  set.counts = counts;
  ASSIGN_OR_RETURN(set.energy, file(FeatureKind::kFull, Quantity::kJoules));
  if (!full && !set.counts) {
    set.bundled = true;
    ASSIGN_OR_RETURN(full, LoadBundled(bundled_predictors.full));
    ASSIGN_OR_RETURN(set.counts, LoadBundled(bundled_predictors.counts));
  }
  set.full = full;
  std::set<std::string> calibrated;
  if (full) {
    ASSIGN_OR_RETURN(auto devices, LoadCalibrations(folder, full));
    for (const CalibratedPredictor& one : devices) {
      calibrated.insert(one.device());
    }
    if (!devices.empty()) {
      set.full = std::make_shared<CalibratedDevices>(full, std::move(devices));
    }
  }
  if (!set.bundled) {
    ASSIGN_OR_RETURN(Loaded others, LoadBundled(bundled_predictors.full));
    if (full && others) {
      set.full = std::make_shared<SeenDevices>(
          set.full, others, DevicesSeenBy(*full, std::move(calibrated)));
    }
    ASSIGN_OR_RETURN(Loaded by_counts, LoadBundled(bundled_predictors.counts));
    if (counts && by_counts) {
      set.counts = std::make_shared<SeenDevices>(counts, by_counts,
                                                 DevicesSeenBy(*counts, {}));
    }
  }
  if (!set.full && !set.counts) return NoPredictor();
  return set;
}

Result<std::shared_ptr<const TreePredictor>> LoadFullPredictor(
    const std::filesystem::path& folder,
    const BundledPredictors& bundled_predictors) {
  ASSIGN_OR_RETURN(Loaded trained,
                   LoadFile(folder / PredictorFileName(FeatureKind::kFull,
                                                       Quantity::kSeconds)));
  if (trained) return trained;
  ASSIGN_OR_RETURN(Loaded bundled, LoadBundled(bundled_predictors.full));
  if (!bundled) return NoPredictor();
  return bundled;
}

}  // namespace mete
