// mete place: chooses where networks and applications run, and starts them
// there.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/predict_command.h"
#include "cli/verb.h"
#include "hosting/keep_service.h"
#include "load/run_load.h"
#include "place/place_apps.h"
#include "place/place_network.h"
#include "ports/cluster.h"
#include "ports/cluster_services.h"
#include "ports/service_host.h"
#include "service/prepare_network.h"

namespace mete {

// What the command needs. Functions open what only some subcommands need.
struct PlaceCommandDependencies {
  PlaceAppsDependencies placing;
  // Devices of the store, and the cluster, as servers.
  std::function<Result<std::vector<Device>>()> devices;
  std::function<Result<Cluster*>()> cluster;
  Lazy<PredictCommandDependencies> predicting;
  // Devices on which services can be started from here.
  std::function<Result<std::vector<LocalPlace>>()> local_places;
  // By the name of the launcher: "process", "docker" or "kubernetes".
  std::function<Result<ServiceHost*>(const std::string& launcher)> host;
  // What --dry-run prints for a service of a cluster.
  std::function<std::string(const ClusterServiceOrder&)> manifest;
  // The file of a network of the zoo, written if it is missing.
  std::function<Result<NetworkToServe>(const std::string& name)> zoo_network;
  Lazy<KeepServiceDependencies> keeping;
  std::function<LoadDependencies()> loading;
};

void AddPlaceCommand(Command root, Verbs& verbs,
                     Lazy<PlaceCommandDependencies> dependencies);

}  // namespace mete
