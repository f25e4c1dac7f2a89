// How fast an engine does each kind of work on a device, found by timing small
// networks on its bench in about ten seconds.
#pragma once

#include <stop_token>

#include "domain/device.h"
#include "ports/graph_writer.h"
#include "ports/testbed.h"
#include "support/clock.h"
#include "support/result.h"

namespace mete {

struct MicroRequest {
  int threads = 1;  // all of the device's
  Bytes memory;     // of the device
  // Of timing, all networks together.
  Seconds time{8};
};

struct MicroPorts {
  TestbedFactory& testbeds;  // for the networks' files
  GraphWriter& writer;
  Clock& clock;
};

// With one thread, and with all where that is more. Fails with kUnavailable
// when the device is too small even for this, and with kInterrupted.
Result<MicroMeasurements> MeasureMicro(Testbed& testbed,
                                       const MicroRequest& request,
                                       const MicroPorts& ports,
                                       std::stop_token stop);

}  // namespace mete
