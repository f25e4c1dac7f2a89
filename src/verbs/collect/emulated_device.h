// Emulated devices, which are this machine under limits: creates, checks and
// measures them.
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

// Name and limits of a new emulated device.
struct EmulationRequest {
  std::string name;
  Millicores cpus;
  Bytes memory;
  int threads = 0;  // 0: one per core used
};

// Ports for measuring devices. All of them must outlive the calls.
struct DeviceDependencies {
  RunStore& store;
  TestbedFactory& testbeds;
  Host& host;
  GraphWriter& writer;
  Clock& clock;
  // The engine that runs the networks. Fails with kUnavailable or kUnsupported
  // and says what to do when there is none.
  std::function<Result<EngineVersion>()> engine_version;
  // Called with the current step, for a progress line, and with the engine that
  // was found. Both may be empty.
  std::function<void(const std::string&)> progress{};
  std::function<void(const EngineVersion&)> on_engine{};
};

// Fails with kInvalidInput for names that would be ambiguous in a list.
Status CheckDeviceName(const std::string& name);

// Fails with kInvalidInput and the name of the flag if the device is larger
// than the machine or too small to run anything.
Status CheckDeviceSize(const EmulationRequest& request,
                       const DeviceFacts& facts);

// The period of the CPU quota: 10 ms, or longer below a tenth of a core, where
// the quota would be less than the kernel's minimum.
std::chrono::microseconds QuotaPeriod(Millicores cpus);

// Creates the device, checks that it delivers its CPU share and measures the
// engine on it, in about ten seconds. Fails with kInvalidInput when the name is
// taken or invalid or this machine is smaller, with kPermissionDenied without
// access to cgroups, and with kUnavailable when the share is off by more than a
// tenth.
Result<Device> AddEmulatedDevice(const EmulationRequest& request,
                                 const DeviceDependencies& ports,
                                 std::stop_token stop);

// Measures a device again that is this machine or is emulated by it, and stores
// the result.
Result<Device> RefreshMeasurements(Device device,
                                   const DeviceDependencies& ports,
                                   std::stop_token stop);

}  // namespace mete
