#include "collect/device_under_test.h"

#include <algorithm>

#include "collect/network_worker_client.h"

namespace mete {
namespace {

// Time for the load's threads to start working and a few quota periods to pass.
constexpr std::chrono::milliseconds kSettle{200};

}  // namespace

Result<std::unique_ptr<DeviceUnderTest>> DeviceUnderTest::Open(
    const Device& device, TestbedFactory& testbeds) {
  TestbedRequest request;
  if (device.emulation) {
    request.limits = device.emulation->limits;
    request.period = device.emulation->period;
  }
  ASSIGN_OR_RETURN(auto testbed,
                   testbeds.Open(request).While("device " + device.name));
  ASSIGN_OR_RETURN(auto load,
                   testbed
                       ->Start(TestbedRole::kLoad, LoadWorkerArguments(std::max(
                                                       1, device.facts.cores)))
                       .While("device " + device.name));
  return std::unique_ptr<DeviceUnderTest>(
      new DeviceUnderTest(device, std::move(testbed), std::move(load)));
}

Status DeviceUnderTest::SetLoad(double share, std::stop_token stop) {
  RETURN_IF_ERROR(testbed_->KeepForLoad(share));
  return OrderLoad(*load_, share * UsableCpus(device_), std::move(stop));
}

double DeviceUnderTest::LoadBetween(const TestbedUsage& before,
                                    const TestbedUsage& after) const {
  double wall = Seconds(after.at - before.at).count();
  if (wall <= 0) return 0;
  double busy = (after.others - before.others).count();
  return std::clamp(busy / (wall * UsableCpus(device_)), 0.0, 1.0);
}

Result<double> DeviceUnderTest::MeasureDelivery(Seconds time, Clock& clock,
                                                std::stop_token stop) {
  auto interrupted = Error(ErrorCode::kInterrupted, "stopped");
  // Twice the number of cores: every thread of the load always has work.
  RETURN_IF_ERROR(OrderLoad(*load_, 2.0 * device_.facts.cores, stop));
  if (!clock.SleepFor(kSettle, stop)) return interrupted;
  TestbedUsage before = testbed_->Usage();
  auto wait = std::chrono::duration_cast<std::chrono::nanoseconds>(time);
  if (!clock.SleepFor(wait, stop)) return interrupted;
  TestbedUsage after = testbed_->Usage();
  RETURN_IF_ERROR(OrderLoad(*load_, 0, stop));
  double wall = Seconds(after.at - before.at).count();
  if (wall <= 0) return Unavailable("the clock does not advance");
  return (after.others - before.others).count() / (wall * UsableCpus(device_));
}

}  // namespace mete
