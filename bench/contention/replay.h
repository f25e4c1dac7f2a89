// Replays a recorded campaign: does choosing mixes actively reach the error of
// random mixes with fewer of them?
#pragma once

#include <string>
#include <vector>

#include "contention/measured_mixes.h"

namespace mete {

// Prints errors on held-out mixes for both ways to choose, by number of mixes,
// with and without the recorded pairs.
void PrintReplay(const std::string& name,
                 const std::vector<MeasuredMix>& mixes);

}  // namespace mete
