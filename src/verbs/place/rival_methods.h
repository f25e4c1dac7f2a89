// The methods that NeuRO was compared with: integer programs with simpler ideas
// of contention. Only for comparisons: their plans may violate SLOs, which the
// verification counts.
#pragma once

#include <stop_token>
#include <string_view>

#include "place/place_apps.h"

namespace mete {

// What a rival believes the latency of a service to be, where t_ab(n) is the
// latency of one instance of a beside n instances of b, N the number of
// instances on the server, and rates are means over the requests.
enum class RivalMethod {
  kScalOranSum,   // the sum of t_bb(N) over the applications b present
  kScalOranMean,  // their mean
  kAppAgnostic,   // t_aa(N), which must stay below 0.6 of the SLO
  kPerx,          // base_a + the sum of max(0, t_ab(n_b) - base_a) over all b
};

std::string_view ToString(RivalMethod method);

// Solves the rival's program by Cbc within the time limit of the request, for
// the objective revenue. The plan has no proven bound: it is the sum of all
// prices. Fails with kUnsupported for pins, apart_from, most_together and
// priorities, which rivals do not know.
Result<PlacementPlan> PlaceWithRival(RivalMethod method,
                                     const PlaceAppsRequest& request,
                                     const PlaceAppsDependencies& needs,
                                     const std::stop_token& stop);

}  // namespace mete
