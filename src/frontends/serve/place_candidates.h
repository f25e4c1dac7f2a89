// From predictions to places: the ranking of a network as mete place needs it.
#pragma once

#include <vector>

#include "place/place_network.h"
#include "predict/answers.h"

namespace mete {

// The ranking of the first network. Devices are reachable if they are among
// `places`.
CandidateRanking ToCandidates(const Answers& answers,
                              const std::vector<LocalPlace>& places);

}  // namespace mete
