#include "predict/predictor_files.h"

#include <fmt/format.h>

#include "support/file.h"
#include "support/json.h"

namespace mete {
namespace {

Result<TreePredictor> ParsePredictor(std::string_view document) {
  ASSIGN_OR_RETURN(Json json, ParseJson(document));
  return TreePredictor::FromJson(json);
}

using Loaded = std::shared_ptr<const LatencyPredictor>;

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

Result<Loaded> LoadStarter(std::string_view document) {
  if (document.empty()) return Loaded();
  ASSIGN_OR_RETURN(TreePredictor read,
                   ParsePredictor(document).While("starter predictor"));
  TreePredictor::Parts parts = read.parts();
  parts.provenance.starter = true;
  return Loaded(std::make_shared<TreePredictor>(std::move(parts)));
}

}  // namespace

std::string PredictorFileName(FeatureKind kind, Quantity quantity) {
  return fmt::format("{}-{}.json",
                     quantity == Quantity::kSeconds ? "latency" : "energy",
                     kind == FeatureKind::kFull ? "full" : "counts");
}

Result<std::filesystem::path> SavePredictor(const std::filesystem::path& folder,
                                            const TreePredictor& predictor) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return SystemError("make " + folder.string(), error.value());
  std::filesystem::path path =
      folder /
      PredictorFileName(predictor.parts().kind, predictor.parts().quantity);
  RETURN_IF_ERROR(
      WriteFileAtomically(path, DumpJson(predictor.ToJson()) + "\n"));
  return path;
}

Result<PredictorSet> LoadPredictors(const std::filesystem::path& folder,
                                    const Starters& starters) {
  auto file = [&](FeatureKind kind, Quantity quantity) {
    return LoadFile(folder / PredictorFileName(kind, quantity));
  };
  PredictorSet set;
  ASSIGN_OR_RETURN(set.full, file(FeatureKind::kFull, Quantity::kSeconds));
  ASSIGN_OR_RETURN(set.counts, file(FeatureKind::kCounts, Quantity::kSeconds));
  ASSIGN_OR_RETURN(set.energy, file(FeatureKind::kFull, Quantity::kJoules));
  if (!set.full && !set.counts) {
    set.starter = true;
    ASSIGN_OR_RETURN(set.full, LoadStarter(starters.full));
    ASSIGN_OR_RETURN(set.counts, LoadStarter(starters.counts));
  }
  if (!set.full && !set.counts) {
    return Unavailable(
        "there is no predictor yet; mete collect measures what it learns from, "
        "mete train latency makes it");
  }
  return set;
}

}  // namespace mete
