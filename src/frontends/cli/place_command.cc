#include "cli/place_command.h"

#include "cli/place_actions.h"
#include "cli/place_simulate_command.h"
#include "domain/input_shapes.h"
#include "place/plan_json.h"

namespace mete {
namespace {

Result<ExitCode> Place(Invocation& invocation, const PlaceSearchFlags& search,
                       const PlaceNetworkFlags& network,
                       const Lazy<PlaceCommandDependencies>& dependencies) {
  const bool many = !search.apps.empty();
  if (many == !network.network.empty()) {
    return InvalidInput(
        "expected a NET.onnx, or --apps FILE with --servers, --device or "
        "--cluster");
  }
  const int sources = (search.servers.empty() ? 0 : 1) +
                      (network.devices.empty() ? 0 : 1) +
                      (search.cluster ? 1 : 0);
  if (many && sources != 1) {
    return InvalidInput(
        "--apps requires exactly one of --servers, --device and --cluster");
  }
  if (search.cluster && search.costs.empty()) {
    return InvalidInput(
        "--cluster requires --costs: a cost table, or predictor:DEVICE");
  }
  ASSIGN_OR_RETURN(PlaceCommandDependencies needs, dependencies());
  if (many) return PlaceManyApps(invocation, search, needs);
  return PlaceOneNetwork(invocation, network, search.objective, needs);
}

void AddNetworkFlags(Command place, PlaceNetworkFlags& flags) {
  place
      .Option("NET.onnx", flags.network,
              "Start this network where it is best; a file, or a network of "
              "mete zoo list")
      .Placeholder("NET.onnx|APP");
  place
      .Option("--device", flags.devices,
              "Only these devices, e.g. a,b (default: all); for --apps, "
              "devices as servers: a,b or all")
      .Placeholder("NAME[,NAME...]");
  place
      .Option("--shape", flags.shapes,
              "Shape of an input, e.g. input=1x3x224x224")
      .Check(ParseShapeOverride, "NAME=SIZES")
      .OneEach();
  place
      .Option("--name", flags.name, "Name of the service (default: the file's)")
      .Check(ParseServiceName, "NAME");
  place
      .Option("--launcher", flags.launcher,
              "process (default), docker or kubernetes")
      .Placeholder("NAME");
  place.Option("--image", flags.image, "Image of containers, with mete in it")
      .Placeholder("IMAGE");
  place
      .Option("--in-image", flags.in_image,
              "Where the image has the file; for kubernetes")
      .Placeholder("PATH");
  place
      .Option("--node", flags.node,
              "Run it on this node or device, regardless of predictions")
      .Placeholder("NAME");
  place.Switch("--dry-run", flags.dry_run, "Only say where it would run");
}

void AddPlacePlanFlags(Command place, PlaceSearchFlags& flags) {
  place.Option("--apps", flags.apps, "What to place (YAML)")
      .Placeholder("FILE");
  place.Option("--servers", flags.servers, "Where to place it (YAML)")
      .Placeholder("FILE");
  place.Switch("--cluster", flags.cluster,
               "Place it on the nodes of the Kubernetes cluster");
  place
      .Option("--costs", flags.costs,
              "Cost table of devices and nodes (default: their predictor)")
      .Placeholder("FILE");
  AddPlaceSearchFlags(place, flags);
  Flag previous = place
                      .Option("--previous", flags.previous,
                              "Plan that is in force; see --migration-cost")
                      .Placeholder("PLAN.json");
  place
      .Option("--migration-cost", flags.migration_cost,
              "Cost of moving an instance, in the objective's unit")
      .Placeholder("COST")
      .Needs(previous);
  place
      .Option("--what-if", flags.what_if,
              "Compare with other apps or servers (YAML) or a plan (JSON)")
      .Placeholder("FILE");
  place.Option("--plan", flags.file, "Also write the plan to this file")
      .Placeholder("FILE");
  place.Switch("--require-all", flags.require_all,
               "Exit with 3 if an application is rejected");
}

}  // namespace

Result<ExitCode> PlaceOrUsage(Invocation& invocation, Result<ExitCode> result) {
  if (result.ok() || result.error().code() != ErrorCode::kInvalidInput) {
    return result;
  }
  invocation.console.Error("mete place: " + result.error().message());
  return ExitCode::kUsage;
}

Result<PlacementPlan> ReadGivenPlan(const std::string& file) {
  auto plan = ReadPlan(file);
  if (!plan.ok() && plan.error().code() == ErrorCode::kCorrupt) {
    return InvalidInput(plan.error().message());
  }
  return plan;
}

void AddPlaceCommand(Command root, Verbs& verbs,
                     Lazy<PlaceCommandDependencies> dependencies) {
  auto search = std::make_shared<PlaceSearchFlags>();
  auto network = std::make_shared<PlaceNetworkFlags>();
  Command place =
      root.Add("place", "Place applications where they run best",
               "mete place net.onnx\n"
               "  mete place --apps apps.yaml --servers servers.yaml");
  AddNetworkFlags(place, *network);
  AddPlacePlanFlags(place, *search);
  // The subcommands first: naming one of them names `place`, too.
  AddPlaceScenario(place, verbs);
  AddPlaceServices(place, verbs, dependencies);
  AddPlaceApply(place, verbs, dependencies);
  AddPlaceCompare(place, verbs, dependencies);
  AddPlaceSimulate(place, verbs);
  verbs.push_back({.command = place,
                   .run =
                       [=](Invocation& invocation) {
                         // The default objective of many apps is revenue.
                         PlaceSearchFlags flags = *search;
                         flags.devices = network->devices;
                         if (flags.objective.empty()) {
                           flags.objective =
                               network->network.empty() ? "revenue" : "latency";
                         }
                         return PlaceOrUsage(
                             invocation,
                             Place(invocation, flags, *network, dependencies));
                       },
                   .interruptible = true,
                   .prints_pages = true});
}

}  // namespace mete
