// Measures how fast an engine does each kind of work on a device, by timing
// small networks on its testbed for about ten seconds.
#pragma once

#include <stop_token>
#include <vector>

#include "domain/device.h"
#include "ports/graph_writer.h"
#include "ports/testbed.h"
#include "support/clock.h"
#include "support/result.h"

namespace mete {

// The device's resources and the time to spend.
struct MicroRequest {
  int threads = 1;  // all threads of the device
  double cpus = 1;  // CPUs of the device
  Bytes memory;     // memory of the device
  // Timing of all networks together.
  Seconds time{8};
};

// Ports for micro-measurements.
struct MicroPorts {
  TestbedFactory& testbeds;  // for the networks' files
  GraphWriter& writer;
  Clock& clock;
};

// Seconds of one inference on the idle device, from the times of single
// inferences while others used `load` of its CPUs. Under a quota, inferences
// run at full speed or wait, so this is the median of means over 50 ms, which
// include the waits. On a busy machine, waits are not a property of the device:
// there the fastest tenth was not kept waiting.
double TypicalSeconds(const std::vector<double>& samples, double load);

// Measures with one thread and, if the device has more, with all of them. Fails
// with kUnavailable when the device is too small even for this, and with
// kInterrupted when stopped.
Result<MicroMeasurements> MeasureMicro(Testbed& testbed,
                                       const MicroRequest& request,
                                       const MicroPorts& ports,
                                       std::stop_token stop);

}  // namespace mete
