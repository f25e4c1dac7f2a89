// The flags of mete load, and what they ask for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "flags/command.h"
#include "load/load_plan.h"
#include "load/load_url.h"
#include "load/rate_objective.h"
#include "load/start_service.h"
#include "support/result.h"

namespace mete {

struct LoadFlags {
  std::vector<std::string> targets;
  std::optional<std::string> rate;
  std::optional<std::string> duration;
  std::string arrivals = "poisson";
  uint64_t connections = 64;
  uint64_t seed = 1;
  std::optional<std::string> drain;
  std::optional<std::string> method;
  std::optional<std::string> body;
  std::vector<std::string> headers;
  std::optional<std::string> slo;
  bool find_rate = false;
  std::string precision = "5%";
  std::string save_arrivals;
  std::string samples;
  std::optional<uint64_t> batch;
  std::optional<uint64_t> threads;

  // Checked when they were parsed.
  std::optional<RateObjective> Objective() const;
  Seconds Duration() const;
};

void AddLoadFlags(Command command, LoadFlags& flags);

// A target as it was given: a URL, or what mete service is to serve.
struct GivenTarget {
  std::string name;
  std::optional<LoadUrl> url;  // absent: a service to start
  double rate = 0;             // 0: the trace decides
};

// The targets with their rates. Fails with kInvalidInput if the flags do not go
// together.
Result<std::vector<GivenTarget>> ReadTargets(const LoadFlags& flags);

// The request to send to a URL, or to a service that mete has started.
Result<HttpRequest> MakeLoadRequest(const GivenTarget& target,
                                    const LoadFlags& flags);

// What to start for a target without a URL.
StartServiceRequest ServiceFor(const GivenTarget& target,
                               const LoadFlags& flags);

// When the requests of the index-th target are sent.
Result<ArrivalSchedule> MakeArrivals(const GivenTarget& target, size_t index,
                                     const LoadFlags& flags);

// The seed of the index-th target. The first has the seed itself, so that it
// can be repeated alone.
uint64_t SeedOfTarget(const LoadFlags& flags, size_t index);

}  // namespace mete
