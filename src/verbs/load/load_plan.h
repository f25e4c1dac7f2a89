// What a load sends to whom, when, and how long it waits for the answers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "load/arrival_schedule.h"
#include "net/endpoint.h"
#include "net/http.h"
#include "support/units.h"

namespace mete {

// Which replica gets the next request.
enum class ReplicaChoice {
  // At random: a Poisson stream for the service is then an independent Poisson
  // stream for each replica, as if each had its own clients.
  kRandom,
  kInTurn,
};

// One service under load. Its replicas share the schedule.
struct LoadTarget {
  std::string name;                 // in results
  std::vector<Endpoint> endpoints;  // one per replica, at least one
  HttpRequest request;              // the same for every arrival
  ArrivalSchedule arrivals;         // of all replicas together
  ReplicaChoice choice = ReplicaChoice::kRandom;
  uint64_t seed = 1;  // of the random choice
  // At most, to each replica. When all are busy, requests wait in mete, and
  // that time counts because latency starts at the intended time.
  size_t connections = 64;
};

// Services that are loaded at the same time, in one window.
struct LoadPlan {
  std::vector<LoadTarget> targets;  // at least one
  // How long to wait after the window for answers that are missing. Absent: as
  // long as the longest window.
  std::optional<Seconds> drain{};
};

}  // namespace mete
