// The parts of `mete place`, one file each.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/place_command.h"

namespace mete {

// Flags of a search for a plan.
struct PlaceSearchFlags {
  std::string apps;
  std::string servers;
  // Instead of `servers`: devices of the store ("all", or names), or the nodes
  // of the cluster.
  std::string devices;
  bool cluster = false;
  std::string costs;      // of servers that have none
  std::string objective;  // "": revenue, or latency of one network
  std::string method = "auto";
  std::string order = "low";
  std::string time_limit = "10s";
  std::string gap = "1%";
  uint64_t seed = 1;
  std::string what_if;
  std::string previous;
  std::optional<double> migration_cost;
  bool require_all = false;
  std::string file;  // for the plan
};

// Flags of starting one network.
struct PlaceNetworkFlags {
  std::string network;
  std::string devices;
  std::vector<std::string> shapes;
  std::string name;
  std::string launcher = "process";
  std::string image;
  std::string in_image;  // path of the network in the image
  std::string node;      // of the cluster
  bool dry_run = false;
};

// The methods and limits of a search, which `compare` has as well.
void AddPlaceSearchFlags(Command command, PlaceSearchFlags& flags);
// The request without, and with, the problem of the files.
Result<PlaceAppsRequest> MakePlaceSearch(const PlaceSearchFlags& flags);
Result<PlaceAppsRequest> MakePlaceRequest(const PlaceSearchFlags& flags,
                                          const PlaceCommandDependencies& needs,
                                          std::stop_token stop);

// Reads a plan that the user named. Damaged files are mistakes of the caller.
Result<PlacementPlan> ReadGivenPlan(const std::string& file);

// mete place --apps
Result<ExitCode> PlaceManyApps(Invocation& invocation,
                               const PlaceSearchFlags& flags,
                               const PlaceCommandDependencies& needs);
// mete place NET.onnx
Result<ExitCode> PlaceOneNetwork(Invocation& invocation,
                                 const PlaceNetworkFlags& flags,
                                 const std::string& objective,
                                 const PlaceCommandDependencies& needs);

void AddPlaceScenario(Command place, Verbs& verbs);
// mete place list, stop and the internal keep
void AddPlaceServices(Command place, Verbs& verbs,
                      const Lazy<PlaceCommandDependencies>& dependencies);

// mete place apply and verify
void AddPlaceApply(Command place, Verbs& verbs,
                   const Lazy<PlaceCommandDependencies>& dependencies);
void AddPlaceCompare(Command place, Verbs& verbs,
                     const Lazy<PlaceCommandDependencies>& dependencies);

// Invalid input is a mistake of the caller: prints it and exits with 2.
Result<ExitCode> PlaceOrUsage(Invocation& invocation, Result<ExitCode> result);

}  // namespace mete
