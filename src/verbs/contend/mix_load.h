// How a campaign loads the services of a mix. Campaigns see load only through
// this function, so that tests need neither sockets nor time.
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "domain/mix_observation.h"
#include "net/endpoint.h"
#include "support/result.h"
#include "support/units.h"

namespace mete {

// The load of one tenant: its requests are spread over its instances.
struct TenantLoad {
  std::string application;
  std::vector<Endpoint> instances;
  double rate = 0;    // requests per second to all instances together
  uint64_t seed = 0;  // of the arrival times
};

// The load of a mix: all tenants at the same time.
struct MixLoad {
  std::vector<TenantLoad> tenants;
  Seconds window{0};  // during which requests are sent
  Seconds drain{0};   // at most, to wait for answers after that
};

// What became of the requests of one tenant.
struct TenantAnswers {
  uint64_t sent = 0;
  uint64_t answered = 0;
  uint64_t failed = 0;
  RequestTimes sojourn;
  std::string saturation;  // how it was seen; "" if the tenant kept up
};

// One entry for each tenant. Fails with kInterrupted after `stop`.
using DriveLoad = std::function<Result<std::vector<TenantAnswers>>(
    const MixLoad& load, std::stop_token stop)>;

}  // namespace mete
