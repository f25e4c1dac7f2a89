// Random instances of the placement problem as NeuRO's driver draws them.
#pragma once

#include <cstdint>
#include <string_view>

#include "place/placement_problem.h"
#include "support/result.h"

namespace mete {

// Which applications are drawn. S1: all nine alike. S2 and S3: 40 % and 90 % of
// the requests are of real-time applications, those with high rates.
enum class ScenarioKind { kS1, kS2, kS3 };

// "s1", "s2", "s3".
Result<ScenarioKind> ParseScenarioKind(std::string_view text);
std::string_view ToString(ScenarioKind kind);

// Parameters of an instance, with NeuRO's NUM_SERVERS, C_S and
// SERVER_RANK_L_FRAC.
struct ScenarioRequest {
  ScenarioKind kind = ScenarioKind::kS1;
  int servers = 10;
  Bytes memory = Gibibytes(32);  // of each server
  double rank_low = 0.5;         // share of the servers with the low rank
  uint64_t seed = 1;
};

inline constexpr int kRequestsPerServer = 15;
inline constexpr std::string_view kWeakServers = "weak";
inline constexpr std::string_view kStrongServers = "strong";

// Draws 15 requests per server. The same request gives the same instance on
// every machine. Fails with kInvalidInput without servers, without memory, or
// with a share outside 0 to 1. The files of the cost tables are named
// costs-weak.yaml and costs-strong.yaml (synthetic_costs.h).
Result<PlacementProblem> MakeScenario(const ScenarioRequest& request);

}  // namespace mete
