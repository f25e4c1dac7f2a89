// The bench of a device of the store, with a load on it.
#pragma once

#include <memory>
#include <stop_token>

#include "domain/device.h"
#include "domain/run.h"
#include "ports/testbed.h"
#include "support/clock.h"
#include "support/result.h"

namespace mete {

// Opened for a device that this machine is, or stands in for. Holds the
// process that makes the load, which rests until asked.
class DeviceUnderTest {
 public:
  static Result<std::unique_ptr<DeviceUnderTest>> Open(
      const Device& device, TestbedFactory& testbeds);

  const Device& device() const { return device_; }
  Testbed& testbed() { return *testbed_; }

  // From now on this share of the device's CPUs is kept busy, 0 to 1.
  Status SetLoad(double share, std::stop_token stop);
  // The share that others had of the device's CPUs between two looks.
  double LoadBetween(const TestbedUsage& before,
                     const TestbedUsage& after) const;

  // CPU time the device gives in a second to whoever wants all of it, over
  // what it should give. Takes the time, and leaves no load.
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
