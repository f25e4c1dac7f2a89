// How fast a machine computes and moves memory, measured in a few seconds.
#pragma once

#include "support/clock.h"
#include "support/result.h"
#include "support/units.h"

namespace mete {

struct SpeedRequest {
  int threads = 1;
  // Each of the three arrays of each thread; larger than the last cache, or
  // it is the cache that is measured.
  Bytes array = Mebibytes(16);
  // Of one trial; the best trial counts, since what disturbs only slows down.
  Seconds trial{0.2};
  int trials = 4;
};

// Float32 multiply-and-add of all threads, counted as two operations. This is
// the speed of plain C++ as the compiler vectorises it for the architecture's
// baseline (SSE2, NEON), the same program on every machine; it is not the
// peak of the processor, which wants instructions this one may not have.
Result<double> MeasureOperations(const SpeedRequest& request,
                                 const Clock& clock);

// The triad of McCalpin's STREAM: a[i] = b[i] + s * c[i], counted as 24 bytes
// an element as STREAM does (a write that first fetches its line moves more).
Result<double> MeasureBandwidth(const SpeedRequest& request,
                                const Clock& clock);

}  // namespace mete
