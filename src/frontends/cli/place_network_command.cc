// mete place NET.onnx: starts a network where it is predicted to run best.
#include <fmt/format.h>

#include <algorithm>

#include "cli/ask_predictions.h"
#include "cli/place_actions.h"
#include "devices/find_devices.h"
#include "place/found_servers.h"
#include "serve/place_candidates.h"
#include "support/json.h"

namespace mete {
namespace {

Result<PredictRequest> MakeRankRequest(const PlaceNetworkFlags& flags,
                                       const std::string& file,
                                       const std::string& objective,
                                       GraphReader& reader) {
  PredictRequest request{.nodes = {.names = NamesIn(flags.devices)}};
  if (objective != "latency" && objective != "energy") {
    return InvalidInput("the objective of one network is latency or energy");
  }
  ASSIGN_OR_RETURN(request.objective, ParseObjective(objective));
  NetworkFiles files{.paths = {file}};
  for (const std::string& shape : flags.shapes) {
    ASSIGN_OR_RETURN(ShapeOverride given, ParseShapeOverride(shape));
    files.shapes.push_back(std::move(given));
  }
  ASSIGN_OR_RETURN(request.networks, AskAboutFiles(files, reader));
  return request;
}

// The network as a file of this machine, and as the service finds it.
struct NetworkToPlace {
  std::string file;
  std::string served;  // ServiceOrder::network; "": the file
  std::string name;
};

// Clusters do not see the files of this machine.
Result<NetworkToPlace> FindNetwork(const PlaceNetworkFlags& flags,
                                   const PlaceCommandDependencies& needs) {
  const bool cluster = flags.launcher == "kubernetes";
  NetworkToPlace found{.file = flags.network, .name = flags.name};
  const bool is_file =
      IsLocalFile(flags.network) || flags.network.ends_with(".onnx");
  if (!is_file) {
    ASSIGN_OR_RETURN(NetworkToServe network, needs.zoo_network(flags.network));
    found.file = network.path;
    if (found.name.empty()) found.name = network.name;
    if (cluster) found.served = network.name;
  } else if (!flags.in_image.empty()) {
    found.served = "image:" + flags.in_image;
  } else if (cluster && !flags.dry_run) {
    return InvalidInput(fmt::format(
        "a cluster cannot read {} of this machine; build it into the image and "
        "add --in-image PATH, or use a network of mete zoo list",
        flags.network));
  }
  return found;
}

Status CheckPlaceFlags(const PlaceNetworkFlags& flags) {
  const bool container = flags.launcher != "process";
  if (container && flags.image.empty() && !flags.dry_run) {
    return InvalidInput("--launcher " + flags.launcher +
                        " requires --image, an image with mete in it");
  }
  if (!container && !flags.in_image.empty()) {
    return InvalidInput("--in-image requires --launcher docker or kubernetes");
  }
  return {};
}

Result<std::vector<LocalPlace>> FindPlaces(
    const PlaceNetworkFlags& flags, const PlaceCommandDependencies& needs,
    std::stop_token stop) {
  if (flags.launcher != "kubernetes") return needs.local_places();
  ASSIGN_OR_RETURN(Cluster * cluster, needs.cluster());
  ASSIGN_OR_RETURN(std::vector<NodeObject> nodes, cluster->ListNodes({}, stop));
  return PlacesOnNodes(nodes);
}

}  // namespace

Result<ExitCode> PlaceOneNetwork(Invocation& invocation,
                                 const PlaceNetworkFlags& flags,
                                 const std::string& objective,
                                 const PlaceCommandDependencies& needs) {
  RETURN_IF_ERROR(CheckPlaceFlags(flags));
  ASSIGN_OR_RETURN(const NetworkToPlace network, FindNetwork(flags, needs));
  ASSIGN_OR_RETURN(PredictCommandDependencies predicting, needs.predicting());
  ASSIGN_OR_RETURN(
      PredictRequest asked,
      MakeRankRequest(flags, network.file, objective, predicting.reader));
  ASSIGN_OR_RETURN(ServiceHost * host, needs.host(flags.launcher));
  bool bundled = false;
  auto rank = [&]() -> Result<CandidateRanking> {
    ASSIGN_OR_RETURN(Answers answers,
                     AskPredictions(invocation, asked, predicting));
    bundled = answers.predictors.bundled;
    ASSIGN_OR_RETURN(std::vector<LocalPlace> places,
                     FindPlaces(flags, needs, invocation.stop));
    return ToCandidates(answers, places);
  };
  auto placed = PlaceNetwork({.network = network.file,
                              .served = network.served,
                              .app = network.name,
                              .node = flags.node,
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
