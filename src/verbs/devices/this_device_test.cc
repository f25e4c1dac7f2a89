#include "devices/this_device.h"

#include <gtest/gtest.h>

#include "tests/fakes/memory_run_store.h"

namespace mete {
namespace {

std::chrono::system_clock::time_point At(int64_t second) {
  return std::chrono::system_clock::time_point(std::chrono::seconds(second));
}

class StoppedClock final : public Clock {
 public:
  std::chrono::nanoseconds Now() const override { return {}; }
  std::chrono::system_clock::time_point Wall() const override {
    return At(1700000000);
  }
  Seconds ProcessCpu() const override { return {}; }
  bool SleepFor(std::chrono::nanoseconds, std::stop_token) override {
    return true;
  }
};

class PretendHost final : public Host {
 public:
  Result<std::string> DeviceId() override { return id; }
  std::string HostName() override { return name; }
  Result<DeviceFacts> Facts() override { return facts; }
  Result<DeviceSpeed> MeasureSpeed() override {
    ++measurements;
    return DeviceSpeed{.operations_per_second = 1e9 * measurements,
                       .memory_bytes_per_second = 1e10,
                       .measured_at = At(1700000000)};
  }
  Environment ReadEnvironment() override { return {}; }
  std::optional<Bytes> PeakMemory() override { return std::nullopt; }
  void ResetPeakMemory() override {}
  std::optional<CpuTimes> ReadCpuTimes() override { return std::nullopt; }
  std::vector<int> UsableCpus() override { return {0}; }
  Status PinThread(const std::vector<int>&) override { return {}; }

  std::string id = "d1";
  std::string name = "pi";
  DeviceFacts facts{.architecture = "aarch64", .cores = 4, .kernel = "6.1"};
  int measurements = 0;
};

class RegisterDevice : public testing::Test {
 protected:
  Result<Device> Register() { return RegisterThisDevice(store, host, clock); }

  MemoryRunStore store;
  PretendHost host;
  StoppedClock clock;
};

TEST_F(RegisterDevice, FailsBeforeAnythingIsMeasuredForAReadOnlyStore) {
  ASSERT_TRUE(Register().ok());
  store.read_only = true;
  auto device = Register();
  ASSERT_FALSE(device.ok());
  EXPECT_EQ(device.error().message(), "the store is read-only");
}

TEST_F(RegisterDevice, StoresThisMachineOnFirstUse) {
  auto device = Register();
  ASSERT_TRUE(device.ok());
  EXPECT_EQ(device->name, "pi");
  EXPECT_EQ(device->registered_at, At(1700000000));
  EXPECT_EQ(store.FindDevice("d1")->facts.cores, 4);
  EXPECT_EQ(store.FindDevice("d1")->speed->operations_per_second, 1e9);
}

TEST_F(RegisterDevice, MeasuresTheSpeedOnlyOnce) {
  ASSERT_TRUE(Register().ok());
  ASSERT_TRUE(Register().ok());
  EXPECT_EQ(host.measurements, 1);
}

TEST_F(RegisterDevice, UpdatesFactsAndKeepsNameAndSpeed) {
  ASSERT_TRUE(Register().ok());
  host.facts.kernel = "6.6";
  host.name = "renamed";
  ASSERT_TRUE(Register().ok());
  EXPECT_EQ(store.FindDevice("d1")->facts.kernel, "6.6");
  EXPECT_EQ(store.FindDevice("d1")->name, "pi");
  EXPECT_EQ(store.FindDevice("d1")->speed->operations_per_second, 1e9);
}

TEST_F(RegisterDevice, AddsANumberToATakenName) {
  ASSERT_TRUE(Register().ok());
  host.id = "d2";
  EXPECT_EQ(Register()->name, "pi-2");
  host.id = "d3";
  EXPECT_EQ(Register()->name, "pi-3");
  EXPECT_EQ(store.ListDevices()->size(), 3u);
}

TEST_F(RegisterDevice, IsNotHiddenByADeviceWhoseNameIsItsId) {
  ASSERT_TRUE(store.SaveDevice({.id = "other", .name = "d1"}).ok());
  EXPECT_EQ(Register()->id, "d1");
  EXPECT_EQ(store.FindDevice("d1")->name, "pi");
}

TEST_F(RegisterDevice, MeasuresADeviceWithoutSpeed) {
  ASSERT_TRUE(store.SaveDevice({.id = "d1", .name = "pi"}).ok());
  EXPECT_TRUE(Register()->speed.has_value());
  EXPECT_TRUE(store.FindDevice("d1")->speed.has_value());
}

TEST_F(RegisterDevice, HasANameOnAMachineWithoutHostName) {
  host.name = "";
  EXPECT_EQ(Register()->name, "device");
}

TEST_F(RegisterDevice, RefreshMeasuresAgain) {
  ASSERT_TRUE(Register().ok());
  auto device = RefreshDevice(store, host, clock);
  ASSERT_TRUE(device.ok());
  EXPECT_EQ(device->speed->operations_per_second, 2e9);
  EXPECT_EQ(store.FindDevice("d1")->speed->operations_per_second, 2e9);
}

TEST_F(RegisterDevice, RefreshOfANewMachineMeasuresOnce) {
  ASSERT_TRUE(RefreshDevice(store, host, clock).ok());
  EXPECT_EQ(host.measurements, 1);
}

}  // namespace
}  // namespace mete
