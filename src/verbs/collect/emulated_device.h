// Devices that are this machine under limits: made, checked and measured.
#pragma once

#include <functional>
#include <stop_token>
#include <string>

#include "domain/device.h"
#include "domain/run.h"
#include "ports/graph_writer.h"
#include "ports/host.h"
#include "ports/run_store.h"
#include "ports/testbed.h"
#include "support/clock.h"
#include "support/result.h"

namespace mete {

struct EmulationRequest {
  std::string name;
  Millicores cpus;
  Bytes memory;
  int threads = 0;  // 0: one for each core it uses
};

// What measuring devices needs; all of it must outlive the calls.
struct DeviceDependencies {
  RunStore& store;
  TestbedFactory& testbeds;
  Host& host;
  GraphWriter& writer;
  Clock& clock;
  // The engine that networks run on. Fails with kUnavailable or kUnsupported
  // and what to do when there is none.
  std::function<Result<EngineVersion>()> engine_version;
  // Called with what is being done, for a progress line, and with the engine
  // that was found. Both may be empty.
  std::function<void(const std::string&)> progress{};
  std::function<void(const EngineVersion&)> on_engine{};
};

// Fails with kInvalidInput for what would be ambiguous in a list of names.
Status CheckDeviceName(const std::string& name);

// The period of the CPU quota: 10 ms, or longer where a tenth of a core is
// less than the kernel gives out at once.
std::chrono::microseconds QuotaPeriod(Millicores cpus);

// Makes the device, checks that it delivers its share and measures the engine
// on it: about ten seconds. Fails with kInvalidInput when the name is taken or
// cannot be one, or this machine is smaller, with kPermissionDenied without
// control groups, and with kUnavailable when the share is missed by more than a
// tenth.
Result<Device> AddEmulatedDevice(const EmulationRequest& request,
                                 const DeviceDependencies& ports,
                                 std::stop_token stop);

// Measures a device anew that this machine is or stands in for, and stores it.
Result<Device> RefreshMeasurements(Device device,
                                   const DeviceDependencies& ports,
                                   std::stop_token stop);

}  // namespace mete
