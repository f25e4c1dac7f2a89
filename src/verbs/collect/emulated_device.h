// Devices that are this machine under limits: made, checked and measured.
#pragma once

#include <functional>
#include <stop_token>
#include <string>

#include "domain/device.h"
#include "ports/graph_writer.h"
#include "ports/host.h"
#include "ports/run_store.h"
#include "ports/workbench.h"
#include "support/clock.h"
#include "support/result.h"

namespace mete {

struct EmulationRequest {
  std::string name;
  Millicores cpus;
  Bytes memory;
  int threads = 0;  // 0: one for each core it uses
};

struct DevicePorts {
  RunStore& store;
  WorkbenchMaker& benches;
  Host& host;
  GraphWriter& writer;
  Clock& clock;
  // Told what is being done, for a progress line; may be empty.
  std::function<void(const std::string&)> progress;
};

// The period of the CPU quota: 10 ms, or longer where a tenth of a core is
// less than the kernel gives out at once.
std::chrono::microseconds QuotaPeriod(Millicores cpus);

// Makes the device, checks that it delivers its share and measures the engine
// on it: about ten seconds. Fails with kInvalidInput when the name is taken or
// this machine is smaller, with kPermissionDenied without control groups, and
// with kUnavailable when the share is missed by more than a tenth.
Result<Device> AddEmulatedDevice(const EmulationRequest& request,
                                 const DevicePorts& ports,
                                 std::stop_token stop);

// Measures a device anew that this machine is or stands in for, and stores it.
Result<Device> RefreshMeasurements(Device device, const DevicePorts& ports,
                                   std::stop_token stop);

// Whether `device` can be measured on the machine with that id.
bool IsHere(const Device& device, const std::string& machine_id);

}  // namespace mete
