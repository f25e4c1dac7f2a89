// A mix: services that run side by side on one device, each under its own load.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "support/result.h"

namespace mete {

// One application of a mix: equal instances, each with the same request rate.
struct Tenant {
  std::string application;
  int instances = 1;
  double rate = 0;  // requests per second of one instance
};

// Why a mix is part of a campaign.
enum class MixKind { kBaseline, kPairwise, kRandom, kActive };

// Tenants that are started, loaded and measured together.
struct Mix {
  std::string id;  // "random-017", unique in a campaign
  MixKind kind = MixKind::kRandom;
  std::vector<Tenant> tenants;  // at least one
  uint64_t seed = 0;            // of the arrival times
};

std::string_view MixKindName(MixKind kind);
// Fails with kInvalidInput and the list of kinds.
Result<MixKind> ParseMixKind(std::string_view name);

}  // namespace mete
