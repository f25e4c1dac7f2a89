#include "apps/torch/train_contention.h"

#include <fmt/format.h>

#include <iostream>
#include <optional>

#include "adapters/torch/deepsets_training.h"
#include "domain/mix_observation.h"
#include "support/file.h"
#include "support/gzip.h"
#include "support/json.h"
#include "support/units.h"

namespace mete {
namespace {

Result<std::vector<MeasuredMix>> ReadMixes(const std::string& table) {
  ASSIGN_OR_RETURN(std::string bytes, ReadFile(table));
  if (IsGzip(bytes)) {
    ASSIGN_OR_RETURN(bytes, Gunzip(bytes).While(table));
  }
  ASSIGN_OR_RETURN(std::vector<MixObservation> rows,
                   ParseMixCsv(bytes).While(table));
  return GroupByMix(rows);
}

Result<std::optional<DeepSetsPredictor>> ReadStart(const std::string& file) {
  if (file.empty()) return std::optional<DeepSetsPredictor>();
  ASSIGN_OR_RETURN(std::string text, ReadFile(file));
  ASSIGN_OR_RETURN(Json json, ParseJson(text).While(file));
  // A file of mete train has the weights inside.
  if (json.contains("predictor")) json = Json(json["predictor"]);
  ASSIGN_OR_RETURN(DeepSetsPredictor start,
                   DeepSetsPredictor::FromJson(json).While(file));
  return std::optional<DeepSetsPredictor>(std::move(start));
}

}  // namespace

void AddContentionFlags(const Command& command, ContentionFlags& flags) {
  command
      .Option("--from", flags.table,
              "Table of mete contend --export-table, compressed or not")
      .Placeholder("TABLE")
      .Required();
  command.Option("--out", flags.out, "File for the weights")
      .Placeholder("FILE")
      .Required();
  command
      .Option("--start", flags.start,
              "Start from these weights; they may know fewer applications")
      .Placeholder("FILE");
  command.Option("--epochs", flags.epochs, "Number of epochs (default 10)")
      .Within(1, 1'000'000);
  command
      .Option("--seed", flags.seed,
              "Random seed for weights and order (default 1)")
      .Check(ParseCount, "N");
  command.Switch("--no-absent", flags.no_absent,
                 "Leave out the points of services that are not there");
}

Status RunContentionTraining(const ContentionFlags& flags) {
  RETURN_IF_ERROR(CheckWritable(flags.out));
  ASSIGN_OR_RETURN(std::vector<MeasuredMix> mixes, ReadMixes(flags.table));
  ASSIGN_OR_RETURN(std::optional<DeepSetsPredictor> start,
                   ReadStart(flags.start));
  DeepSetsPredictor::Parts parts{.applications = ApplicationsIn(mixes)};
  size_t count = 0;
  for (TimeKind kind : {TimeKind::kService, TimeKind::kSojourn}) {
    const auto points =
        MakeDeepSetsPoints(mixes, {.applications = parts.applications,
                                   .kind = kind,
                                   .absent_targets = !flags.no_absent,
                                   .seed = flags.seed});
    count += points.size();
    DeepSetsTraining training{.applications = parts.applications.size(),
                              .epochs = flags.epochs,
                              .seed = flags.seed};
    if (start) {
      training.start = [&](const DeepSetsNetwork& fresh) {
        return start->WarmStart(kind, parts.applications, fresh);
      };
    }
    ASSIGN_OR_RETURN(parts.networks[static_cast<size_t>(kind)],
                     TrainDeepSets(points, training).While(flags.table));
  }
  const size_t parameters = parts.networks[0].network.ParameterCount();
  const size_t applications = parts.applications.size();
  RETURN_IF_ERROR(WriteFileAtomically(
      flags.out,
      DumpJson(DeepSetsPredictor(std::move(parts)).ToJson()) + "\n"));
  std::cout << fmt::format(
      "trained 2 networks of {} parameters for {}, {} and {}\n", parameters,
      Counted(applications, "application"), Counted(count, "point"),
      Counted(static_cast<size_t>(flags.epochs), "epoch"));
  return {};
}

}  // namespace mete
