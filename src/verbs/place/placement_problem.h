// The problem of placing applications on servers, as values: what applications
// ask for, and which servers there are.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/result.h"
#include "support/units.h"

namespace mete {

// The statistic of the latency that an SLO bounds.
enum class SloStatistic { kMean, kP75, kP95, kP99 };
// Service: inside the service. Sojourn: with the time in its queue.
enum class SloTime { kService, kSojourn };

// An objective for the latency of an application.
struct LatencySlo {
  SloStatistic statistic = SloStatistic::kP95;
  SloTime time = SloTime::kService;
  Seconds limit{0};
};

// What one application asks for. It is placed with all of its instances or not
// at all; the instances may run on different servers.
struct AppDemand {
  std::string name;         // unique in the problem
  std::string application;  // as the contention predictor knows it
  // ONNX file to serve, or a network of the zoo; "": the application's name.
  std::string network{};
  int instances = 1;
  double rate = 0;   // requests per second of one instance
  double price = 1;  // earned if it is placed
  std::optional<LatencySlo> slo{};
  Bytes memory{};                      // of one instance
  std::optional<std::string> pin{};    // a server or a type of servers
  std::vector<std::string> apart{};    // never on a server with these
  std::optional<int> most_together{};  // instances on one server
  int priority = 0;                    // higher ones are placed first
};

// Power of a server: when nothing runs, and of each busy core on top.
struct ServerPower {
  Watts idle;
  Watts per_core;
};

// Servers that are equal.
struct ServerType {
  std::string name;  // unique
  int rank = 1;      // the order of `sequential`: low ranks are filled first
  int count = 1;
  Bytes memory{};
  double cores = 1;
  // A cost table, or the name of a device in a contention predictor.
  std::string costs{};
  std::string predictor{};
  std::optional<ServerPower> power{};
  // Names of the `count` servers. Empty: NAME-1, NAME-2, ...
  std::vector<std::string> names{};
};

// A problem; checked by CheckProblem (problem_yaml.h).
struct PlacementProblem {
  std::vector<AppDemand> apps;
  std::vector<ServerType> servers;
};

// "p95", "sojourn".
std::string_view ToString(SloStatistic statistic);
std::string_view ToString(SloTime time);
Result<SloStatistic> ParseSloStatistic(std::string_view text);
Result<SloTime> ParseSloTime(std::string_view text);

// The name of the server with this place (from 0) in its type.
std::string ServerName(const ServerType& type, int place);

}  // namespace mete
