// A stored device opened as a testbed, with a load on it.
#pragma once

#include <memory>
#include <stop_token>

#include "domain/device.h"
#include "domain/run.h"
#include "ports/testbed.h"
#include "support/clock.h"
#include "support/result.h"

namespace mete {

// Opened for a device that is this machine or is emulated by it. Owns the
// process that generates the load, which is idle at first.
class DeviceUnderTest {
 public:
  static Result<std::unique_ptr<DeviceUnderTest>> Open(
      const Device& device, TestbedFactory& testbeds);

  const Device& device() const { return device_; }
  Testbed& testbed() { return *testbed_; }

  // Keeps this share of the device's CPUs busy from now on, 0 to 1.
  Status SetLoad(double share, std::stop_token stop);
  // The share of the device's CPUs that other processes used between two
  // readings.
  double LoadBetween(const TestbedUsage& before,
                     const TestbedUsage& after) const;

  // Ratio of the CPU time the device delivers to a busy process to the CPU time
  // it should deliver. Takes `time` and leaves no load behind.
  Result<double> MeasureDelivery(Seconds time, Clock& clock,
                                 std::stop_token stop);

 private:
  DeviceUnderTest(Device device, std::unique_ptr<Testbed> testbed,
                  std::unique_ptr<TestbedProcess> load)
      : device_(std::move(device)),
        testbed_(std::move(testbed)),
        load_(std::move(load)) {}

  Device device_;
  std::unique_ptr<Testbed> testbed_;  // outlives the load
  std::unique_ptr<TestbedProcess> load_;
};

}  // namespace mete
