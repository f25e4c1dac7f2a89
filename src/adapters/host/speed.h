// Measures how fast a machine computes and moves memory, in a few seconds.
#pragma once

#include "support/clock.h"
#include "support/result.h"
#include "support/units.h"

namespace mete {

// Parameters of a speed measurement.
struct SpeedRequest {
  int threads = 1;
  // Size of each of the three arrays per thread; must exceed the last-level
  // cache, or the cache is measured.
  Bytes array = Mebibytes(16);
  // Duration of one trial. The best trial counts, because disturbances only
  // slow it down.
  Seconds trial{0.2};
  int trials = 4;
};

// Float32 multiply-adds of all threads, counted as two operations. This is the
// speed of plain C++ as vectorized by the compiler for the architecture's
// baseline (SSE2, NEON), the same program on every machine; it is not the peak
// of the processor, which may need other instructions.
Result<double> MeasureOperations(const SpeedRequest& request,
                                 const Clock& clock);

// The triad of McCalpin's STREAM: a[i] = b[i] + s * c[i], counted as 24 bytes
// per element like STREAM does (a write that first fetches its line moves
// more).
Result<double> MeasureBandwidth(const SpeedRequest& request,
                                const Clock& clock);

}  // namespace mete
