// The mean cycle of a series.
#pragma once

#include "series/prepared_series.h"

namespace mete {

// The series less its mean cycle of this length, which is smooth between at
// most 64 points.
PreparedSeries WithoutProfile(const PreparedSeries& series, double period);

}  // namespace mete
