// Networks measured on emulated devices under load. Uses the training table of
// the bundled predictors, or $METE_TABLE (written by `mete collect
// --export-table`). Every network is predicted by a predictor that has not seen
// it.
#include <fmt/format.h>

#include <cstdlib>

#include "bench/prediction/section.h"
#include "domain/latency_row.h"
#include "predict/train_latency.h"
#include "predict/training_report.h"
#include "support/file.h"
#include "support/gzip.h"

namespace mete::bench {
namespace {

std::filesystem::path TableFile() {
  const char* given = std::getenv("METE_TABLE");
  return given != nullptr ? given : METE_STARTER_TABLE;
}

Result<std::vector<LatencyRow>> ReadRows(const std::filesystem::path& file) {
  ASSIGN_OR_RETURN(std::string bytes, ReadFile(file));
  if (IsGzip(bytes)) {
    ASSIGN_OR_RETURN(bytes, Gunzip(bytes));
  }
  return ParseLatencyCsv(bytes).While(file.string());
}

void AddErrors(const Validation& one, Section& section) {
  if (!one.errors) return;
  bool ours = one.predictor == "mete" && one.protocol == Protocol::kNetworkOut;
  auto add = [&](const char* metric, double value,
                 std::optional<double> target) {
    section.lines.push_back({.protocol = std::string(ToString(one.protocol)),
                             .predictor = one.predictor,
                             .metric = metric,
                             .value = value,
                             .target = ours ? target : std::nullopt,
                             .shares = true});
  };
  // Targets are lower bounds, so the error is shown as 1 - error.
  add("1 - median error", 1 - one.errors->median_relative, 0.90);
  add("within 10 %", one.errors->within_10, std::nullopt);
  add("within 25 %", one.errors->within_25, 0.85);
  if (one.coverage) add("90 % interval covers", *one.coverage, 0.87);
}

}  // namespace

Result<Section> EmulatedDevices(const std::filesystem::path&) {
  ASSIGN_OR_RETURN(std::vector<LatencyRow> rows, ReadRows(TableFile()));
  // One fold per network.
  ASSIGN_OR_RETURN(
      Trained full,
      TrainLatency({.rows = rows}, {.network_folds = rows.size()}, {}, {}));
  ASSIGN_OR_RETURN(
      Trained counts,
      TrainLatency({.rows = rows, .kind = FeatureKind::kCounts},
                   {.network_folds = rows.size(), .baselines = false}, {}, {}));
  Section section{.name = "Emulated devices under load"};
  for (const Validation& one : full.validations) AddErrors(one, section);
  for (Validation one : counts.validations) {
    one.predictor = "mete, layer counts only";
    AddErrors(one, section);
  }
  section.lines.push_back({.protocol = "unseen network",
                           .predictor = "mete",
                           .metric = "fastest device right",
                           .value = full.fastest.share(),
                           .target = 0.95,
                           .shares = true});
  const Provenance& from = full.predictor.parts().provenance;
  section.note = fmt::format(
      "{} runs of {} networks on {} emulated devices; {} cases of a fastest "
      "device, two best apart by more than 10 %.",
      from.rows, from.networks, from.devices.size(), full.fastest.cases);
  return section;
}

}  // namespace mete::bench
