// Which mixes a campaign measures. Pure: the same request, facts and seed give
// the same plan on every machine, so an interrupted campaign resumes with it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "domain/mix.h"
#include "support/result.h"
#include "support/units.h"

namespace mete {

// What is known of an application that runs alone and without load.
struct ApplicationFacts {
  Seconds service_time{0};        // median of one request
  std::optional<Bytes> memory{};  // of one instance; absent: not known
};
using KnownApplications = std::map<std::string, ApplicationFacts>;

// What a campaign should cover.
struct CampaignRequest {
  MixKind kind = MixKind::kRandom;
  std::vector<std::string> applications;  // at least one
  std::vector<int> instances{1, 2, 4};    // numbers of instances to try
  // Requests per second of one instance. Empty: chosen from the service times,
  // so that an instance is busy for kBusyShares of the time.
  std::vector<double> rates{};
  size_t mixes = 0;  // of a random campaign; the others follow from the lists
  std::optional<Bytes> memory_budget{};  // of all instances of a mix together
  double cores = 1;  // of the device; bounds the load of random mixes
  uint64_t seed = 1;
};

// Baselines: each application alone, with one instance, at every rate.
// Pairwise: each application with one instance at the lowest rate (the victim)
// beside each application at all numbers of instances and rates. Random: mixes
// of one to four applications, from a lightly loaded to a slightly overloaded
// device. Mixes beyond the memory budget are left out of the first two and
// drawn again in the third. Fails with kInvalidInput if the facts of an
// application are missing, and with kUnsupported if no mix fits the budget or
// the memory of an application is not known.
Result<std::vector<Mix>> PlanCampaign(const CampaignRequest& request,
                                      const KnownApplications& known);

// How many mixes a plan has if all fit the memory budget; needs no facts.
size_t CountMixes(const CampaignRequest& request);

}  // namespace mete
