#include "collect/emulated_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "collect/device_under_test.h"
#include "collect/micro_measurements.h"
#include "devices/this_device.h"
#include "support/sha256.h"

namespace mete {
namespace {

using std::chrono::microseconds;

// Short, so that inferences of a few milliseconds run at the device's speed
// instead of at full speed or in a stall. Still longer than a scheduling slice
// (docs/reference/collect.md has the numbers).
constexpr microseconds kPeriod{10'000};
constexpr int64_t kShortestQuotaMicroseconds = 1'000;

constexpr Seconds kDeliveryTime{1};
constexpr double kGoodDelivery = 0.05;
constexpr double kWorstDelivery = 0.10;
// A burst of work of another process must not count against the device.
constexpr int kDeliveryTries = 3;

int CoresFor(Millicores cpus) {
  return static_cast<int>((cpus.count + 999) / 1000);
}

Status CheckUnused(const std::string& name, RunStore& store) {
  auto known = store.FindDevice(name);
  if (known.ok()) {
    return InvalidInput(fmt::format(
        "there is already a device '{}'; remove it first: mete devices "
        "remove {}",
        name, name));
  }
  if (known.error().code() != ErrorCode::kNotFound) return known.error();
  return {};
}

// The host's facts, with the limits replacing the values they limit.
Device Describe(const EmulationRequest& request, const Device& host) {
  Device device;
  device.name = request.name;
  device.emulated = true;
  device.facts = host.facts;
  device.facts.cores = CoresFor(request.cpus);
  device.facts.ram = request.memory;
  int threads = request.threads > 0 ? request.threads : device.facts.cores;
  device.emulation = Emulation{.host_id = host.id,
                               .limits = {.memory = request.memory,
                                          .cpus = request.cpus,
                                          .threads = threads},
                               .period = QuotaPeriod(request.cpus)};
  // The same limits under the same name on the same machine are the same
  // device, even if it was removed and added again.
  device.id = ComputeSha256(fmt::format("{} {} {} {} {}", host.id, request.name,
                                        request.cpus.count,
                                        request.memory.count, threads))
                  .substr(0, 16);
  return device;
}

Result<double> CheckDelivery(DeviceUnderTest& under_test, Clock& clock,
                             const std::stop_token& stop) {
  double best = 0;
  for (int i = 0; i < kDeliveryTries; ++i) {
    ASSIGN_OR_RETURN(double ratio,
                     under_test.MeasureDelivery(kDeliveryTime, clock, stop));
    if (i == 0 || std::abs(ratio - 1) < std::abs(best - 1)) best = ratio;
    if (std::abs(best - 1) <= kGoodDelivery) return best;
  }
  if (std::abs(best - 1) <= kWorstDelivery) return best;
  double cpus = UsableCpus(under_test.device());
  return Unavailable(
      fmt::format("device {}: gets {:.2f} of its {:g} CPUs; the machine is too "
                  "busy to emulate it",
                  under_test.device().name, best * cpus, cpus));
}

void Say(const DeviceDependencies& ports, const std::string& what) {
  if (ports.progress) ports.progress(what);
}

Status Measure(Device& device, const DeviceDependencies& ports,
               const std::stop_token& stop) {
  ASSIGN_OR_RETURN(auto under_test,
                   DeviceUnderTest::Open(device, ports.testbeds));
  if (device.emulation) {
    Say(ports, "checking the CPU share …");
    ASSIGN_OR_RETURN(device.emulation->delivered_ratio,
                     CheckDelivery(*under_test, ports.clock, stop));
  }
  Say(ports, "measuring the engine on " + device.name + " (about 10 s) …");
  ASSIGN_OR_RETURN(device.micro,
                   MeasureMicro(under_test->testbed(),
                                {.threads = EngineThreadsFor(device),
                                 .cpus = UsableCpus(device),
                                 .memory = device.facts.ram},
                                {.testbeds = ports.testbeds,
                                 .writer = ports.writer,
                                 .clock = ports.clock},
                                stop)
                       .While("device " + device.name));
  return {};
}

Status FindEngine(const DeviceDependencies& ports) {
  ASSIGN_OR_RETURN(EngineVersion engine, ports.engine_version());
  if (ports.on_engine) ports.on_engine(engine);
  return {};
}

}  // namespace

Status CheckDeviceName(const std::string& name) {
  bool nameable = !name.empty() && name != "all" &&
                  name.find_first_of(",/ ") == std::string::npos;
  if (nameable) return {};
  return InvalidInput("invalid name '" + name +
                      "': a name must not be empty or 'all' and must not "
                      "contain commas, slashes or spaces");
}

Status CheckDeviceSize(const EmulationRequest& request,
                       const DeviceFacts& facts) {
  if (request.cpus.count < 10) {
    return InvalidInput("--cpus: the minimum is 0.01");
  }
  if (CoresFor(request.cpus) > facts.cores) {
    return InvalidInput(fmt::format("--cpus: this machine has only {} CPU{}",
                                    facts.cores, facts.cores == 1 ? "" : "s"));
  }
  if (request.memory.count == 0) {
    return InvalidInput("--memory: must be positive");
  }
  if (request.memory > facts.ram) {
    return InvalidInput("--memory: this machine has only " +
                        FormatBytes(facts.ram));
  }
  return {};
}

microseconds QuotaPeriod(Millicores cpus) {
  microseconds enough{(kShortestQuotaMicroseconds * 1000 + cpus.count - 1) /
                      std::max<int64_t>(1, cpus.count)};
  return std::max(kPeriod, enough);
}

Result<Device> AddEmulatedDevice(const EmulationRequest& request,
                                 const DeviceDependencies& ports,
                                 std::stop_token stop) {
  RETURN_IF_ERROR(CheckDeviceName(request.name));
  // Checked before waiting: without an engine there is nothing to measure.
  RETURN_IF_ERROR(FindEngine(ports));
  RETURN_IF_ERROR(CheckUnused(request.name, ports.store));
  Say(ports, "inspecting this machine …");
  ASSIGN_OR_RETURN(Device host,
                   RegisterThisDevice(ports.store, ports.host, ports.clock));
  // Registering this machine may have taken the name.
  RETURN_IF_ERROR(CheckUnused(request.name, ports.store));
  RETURN_IF_ERROR(CheckDeviceSize(request, host.facts));
  Device device = Describe(request, host);
  device.registered_at = ports.clock.Wall();
  RETURN_IF_ERROR(Measure(device, ports, stop));
  RETURN_IF_ERROR(ports.store.SaveDevice(device));
  return device;
}

Result<Device> RefreshMeasurements(Device device,
                                   const DeviceDependencies& ports,
                                   std::stop_token stop) {
  RETURN_IF_ERROR(Measure(device, ports, stop));
  RETURN_IF_ERROR(ports.store.SaveDevice(device));
  return device;
}

}  // namespace mete
