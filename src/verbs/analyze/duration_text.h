// Durations as people say them.
#pragma once

#include <string>

#include "support/units.h"

namespace mete {

// "12 s", "15 min", "24 h", "7 d"; two or three significant digits.
std::string DurationText(Seconds duration);

}  // namespace mete
