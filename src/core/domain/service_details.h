// What the run of a service adds to a run: the mix it was part of, and how long
// its requests took beside its co-runners.
#pragma once

#include <string>
#include <vector>

#include "domain/mix.h"
#include "domain/mix_observation.h"

namespace mete {

// One tenant of a mix that was measured, and the tenants beside it.
struct ServiceDetails {
  MixObservation observation;
  std::vector<Tenant> co_runners;  // the other tenants; empty in a baseline
  // How it was seen to be saturated: "sojourn times grew …"; "" if it kept up.
  std::string saturation;
};

}  // namespace mete
