// Places one network: asks where it is predicted to run best, and starts it
// there.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "machine/limits.h"
#include "ports/service_host.h"
#include "support/json_fwd.h"
#include "support/result.h"
#include "support/units.h"

namespace mete {

// A device on which services can be started from here: this machine, one that
// it emulates, or a node of the cluster.
struct LocalPlace {
  std::string device;
  Limits limits{};  // of an emulated device
  int threads = 1;  // of the engine
};

// A device as a place for the network. Values are seconds per inference, or
// joules.
struct PlaceCandidate {
  std::string device;
  bool emulated = false;
  // Services can be started there: it is this machine, a device that this
  // machine emulates, or a node of the cluster.
  bool reachable = false;
  Limits limits{};  // of an emulated device
  int threads = 1;  // of the engine
  std::optional<double> value{};
  std::optional<double> low{};
  std::optional<double> high{};
  std::optional<bool> fits_memory{};
  std::vector<std::string> notes{};  // such as why there is no prediction
};

// The candidates, best first.
struct CandidateRanking {
  std::string unit = "s";  // "s" or "J"
  std::vector<PlaceCandidate> candidates;
  // Services can be started there, but nothing is predicted for them.
  std::vector<LocalPlace> others{};
  size_t tied = 0;  // how many of the first may be the best
};

// What to place.
struct PlaceNetworkRequest {
  std::string network;   // path of the ONNX file
  std::string served{};  // ServiceOrder::network; "": the file
  std::string app{};     // its name in URLs; "" takes that of the file
  std::string node{};    // run it there; "": where it is best
  std::string launcher = "process";
  std::string image{};   // of containers
  std::string upload{};  // ServiceOrder::upload
  bool dry_run = false;
};

// Ranks the devices for the network; supplied by wiring.
using RankPlaces = std::function<Result<CandidateRanking>()>;

// The decision, and the service if it was started.
struct NetworkPlacement {
  CandidateRanking ranking;
  size_t chosen = 0;  // in the ranking
  std::optional<HostedService> service;
  // Why a device that ranks higher was not chosen; "" if the best was.
  std::string note;
};

// The best reachable candidate that fits. Absent if there is none.
std::optional<size_t> ChoosePlace(const CandidateRanking& ranking);

// Fails with kUnsupported, and the reason, if no device can take the network,
// with kNotFound for a node on which services cannot be started from here, and
// as the ranking and the host do.
Result<NetworkPlacement> PlaceNetwork(const PlaceNetworkRequest& request,
                                      const RankPlaces& rank, ServiceHost& host,
                                      std::stop_token stop);

Json NetworkPlacementToJson(const NetworkPlacement& placement);
std::string NetworkPlacementText(const NetworkPlacement& placement);
std::string NetworkPlacementCsv(const NetworkPlacement& placement);

// Services, for `mete place list`.
std::string HostedServicesText(const std::vector<HostedService>& services);
std::string HostedServicesCsv(const std::vector<HostedService>& services);
Json HostedServicesToJson(const std::vector<HostedService>& services);

// A name that is safe in a URL and as an argument: up to 63 letters, digits,
// '-', '_' and '.', with a letter or digit at both ends, which labels of
// Kubernetes require. Other characters are replaced.
std::string SafeServiceName(std::string name);
// That of a file, without its folder and ending.
std::string ServiceNameFor(const std::string& file);
// The same for a name that a user chose, which is not changed. Fails with
// kInvalidInput.
Result<std::string> ParseServiceName(const std::string& text);

}  // namespace mete
