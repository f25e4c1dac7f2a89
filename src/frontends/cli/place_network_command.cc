// mete place NET.onnx: starts a network where it is predicted to run best.
#include <algorithm>

#include "cli/ask_predictions.h"
#include "cli/place_actions.h"
#include "devices/find_devices.h"
#include "serve/place_candidates.h"
#include "support/json.h"

namespace mete {
namespace {

Result<PredictRequest> MakeRankRequest(const PlaceNetworkFlags& flags,
                                       const std::string& objective,
                                       GraphReader& reader) {
  PredictRequest request{.nodes = {.names = NamesIn(flags.devices)}};
  if (objective != "latency" && objective != "energy") {
    return InvalidInput("the objective of one network is latency or energy");
  }
  ASSIGN_OR_RETURN(request.objective, ParseObjective(objective));
  NetworkFiles files{.paths = {flags.network}};
  for (const std::string& shape : flags.shapes) {
    ASSIGN_OR_RETURN(ShapeOverride given, ParseShapeOverride(shape));
    files.shapes.push_back(std::move(given));
  }
  ASSIGN_OR_RETURN(request.networks, AskAboutFiles(files, reader));
  return request;
}

}  // namespace

Result<ExitCode> PlaceOneNetwork(Invocation& invocation,
                                 const PlaceNetworkFlags& flags,
                                 const std::string& objective,
                                 const PlaceCommandDependencies& needs) {
  ASSIGN_OR_RETURN(PredictCommandDependencies predicting, needs.predicting());
  ASSIGN_OR_RETURN(PredictRequest asked,
                   MakeRankRequest(flags, objective, predicting.reader));
  ASSIGN_OR_RETURN(ServiceHost * host, needs.host(flags.launcher));
  bool bundled = false;
  auto rank = [&]() -> Result<CandidateRanking> {
    ASSIGN_OR_RETURN(Answers answers,
                     AskPredictions(invocation, asked, predicting));
    bundled = answers.predictors.bundled;
    ASSIGN_OR_RETURN(std::vector<LocalPlace> places, needs.local_places());
    return ToCandidates(answers, places);
  };
  auto placed = PlaceNetwork({.network = flags.network,
                              .app = flags.name,
                              .launcher = flags.launcher,
                              .image = flags.image,
                              .dry_run = flags.dry_run},
                             rank, *host, invocation.stop);
  invocation.console.ClearProgress();
  if (!placed.ok()) {
    if (placed.error().code() != ErrorCode::kUnsupported) {
      return placed.error();
    }
    invocation.console.Error("mete place: " + placed.error().message());
    return ExitCode::kInfeasible;
  }
  invocation.output.Print(
      {.text = [&] { return NetworkPlacementText(*placed); },
       .json = [&] { return NetworkPlacementToJson(*placed); },
       .csv = [&] { return NetworkPlacementCsv(*placed); }});
  if (bundled) {
    invocation.console.Note("note: " + std::string(kBundledHint));
  }
  return ExitCode::kDone;
}

}  // namespace mete
