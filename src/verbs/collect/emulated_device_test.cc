#include "collect/emulated_device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "collect/device_under_test.h"
#include "devices/find_devices.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fake_graph_writer.h"
#include "tests/fakes/fake_host.h"
#include "tests/fakes/fake_testbed.h"
#include "tests/fakes/memory_run_store.h"

namespace mete {
namespace {

using ::testing::HasSubstr;

class EmulatedDeviceTest : public testing::Test {
 protected:
  Result<Device> Add(const EmulationRequest& request) {
    return AddEmulatedDevice(request, ports, stop.get_token());
  }

  EmulationRequest half{
      .name = "half", .cpus = Millicores{500}, .memory = Gibibytes(1)};
  FakeClock clock;
  FakeHost host;
  FakeGraphWriter writer;
  MemoryRunStore store;
  TestbedScript script;
  FakeTestbedFactory testbeds{clock, script};
  std::stop_source stop;
  DeviceDependencies ports{.store = store,
                           .testbeds = testbeds,
                           .host = host,
                           .writer = writer,
                           .clock = clock,
                           .engine_version = [this]() -> Result<EngineVersion> {
                             if (no_engine) return *no_engine;
                             return EngineVersion{"fake", "1.0"};
                           }};
  std::optional<Error> no_engine;
};

TEST_F(EmulatedDeviceTest, LimitsReplaceTheFactsOfTheHost) {
  script.delivered = [](double cpus) { return std::min(cpus, 0.495); };
  auto device = Add(half);
  ASSERT_TRUE(device.ok()) << device.error().message();
  EXPECT_TRUE(device->emulated);
  EXPECT_EQ(device->facts.cores, 1);
  EXPECT_EQ(device->facts.ram, Gibibytes(1));
  EXPECT_EQ(device->facts.cpu_model, "Fake CPU");
  EXPECT_EQ(device->emulation->host_id, "fake-device");
  EXPECT_EQ(device->emulation->limits.threads, 1);
  EXPECT_NEAR(device->emulation->delivered_ratio, 0.99, 1e-6);
  EXPECT_EQ(store.FindDevice("half")->id, device->id);
  EXPECT_EQ(UsableCpus(*device), 0.5);
  EXPECT_EQ(EngineThreadsFor(*device), 1);
}

TEST_F(EmulatedDeviceTest, MeasuresTheEngineWithOneThreadAndWithAll) {
  script.delivered = [](double cpus) { return std::min(cpus, 2.0); };
  script.latency = [](const std::string& network) {
    return network == "micro-chain" ? 0.0002 : 0.01;
  };
  auto device = Add({.name = "two",
                     .cpus = Millicores{2000},
                     .memory = Gibibytes(1),
                     .threads = 2});
  ASSERT_TRUE(device.ok()) << device.error().message();
  ASSERT_EQ(device->micro->speeds.size(), 2u);
  EXPECT_EQ(device->micro->speeds[1].threads, 2);
  EXPECT_DOUBLE_EQ(device->micro->speeds[0].gemm_flops_per_second,
                   2.0 * 256 * 1024 * 1024 / 0.01);
  EXPECT_DOUBLE_EQ(device->micro->speeds[0].node_seconds, 1e-6);
  EXPECT_EQ(device->micro->engine, "fake 1.0");
}

TEST_F(EmulatedDeviceTest, IsRejectedWithoutItsCpuShare) {
  script.delivered = [](double cpus) { return std::min(cpus, 0.4); };
  auto device = Add(half);
  ASSERT_FALSE(device.ok());
  EXPECT_EQ(device.error().code(), ErrorCode::kUnavailable);
  EXPECT_THAT(device.error().message(), HasSubstr("gets 0.40 of its 0.5 CPUs"));
  EXPECT_FALSE(store.FindDevice("half").ok());
}

TEST_F(EmulatedDeviceTest, IsRejectedWhenThisMachineIsSmaller) {
  half.cpus = Millicores{5000};
  EXPECT_EQ(Add(half).error().message(),
            "--cpus: this machine has only 4 CPUs");
  half.cpus = Millicores{500};
  half.memory = Gibibytes(9);
  EXPECT_EQ(Add(half).error().message(),
            "--memory: this machine has only 8.0 GiB");
}

TEST_F(EmulatedDeviceTest, IsRejectedWhenItCouldNotRunAnything) {
  half.memory = Bytes{0};
  EXPECT_EQ(Add(half).error().message(), "--memory: must be positive");
  half.cpus = Millicores{9};
  EXPECT_EQ(Add(half).error().message(), "--cpus: the minimum is 0.01");
}

TEST_F(EmulatedDeviceTest, IsRejectedWhenTheNameIsTaken) {
  half.name = "fake";  // the host's own name
  EXPECT_THAT(Add(half).error().message(), HasSubstr("already"));
  EXPECT_EQ(Add(half).error().code(), ErrorCode::kInvalidInput);
}

TEST_F(EmulatedDeviceTest, IsRejectedWhenTheNameIsAmbiguousInAList) {
  for (const char* name : {"", "all", "a,b", "a/b", "a b"}) {
    half.name = name;
    EXPECT_THAT(Add(half).error().message(), HasSubstr("invalid name"));
  }
}

TEST_F(EmulatedDeviceTest, IsNotCreatedWithoutAnEngine) {
  no_engine = Unavailable("there is no ONNX Runtime");
  EXPECT_EQ(Add(half).error().message(), "there is no ONNX Runtime");
  EXPECT_TRUE(store.ListDevices()->empty());
}

TEST_F(EmulatedDeviceTest, ReportsMissingAccessToCgroups) {
  script.open_failure = Error(ErrorCode::kPermissionDenied, "run as root");
  EXPECT_EQ(Add(half).error().message(), "device half: run as root");
}

TEST_F(EmulatedDeviceTest, BelongsToTheMachineItWasCreatedOn) {
  script.delivered = [](double cpus) { return std::min(cpus, 0.5); };
  Device device = Add(half).value();
  EXPECT_TRUE(IsHere(device, "fake-device"));
  EXPECT_FALSE(IsHere(device, "other"));
  EXPECT_FALSE(IsHere(device, device.id));
}

TEST(QuotaPeriod, IsShortButRespectsTheMinimumQuota) {
  using std::chrono::microseconds;
  EXPECT_EQ(QuotaPeriod(Millicores{500}), microseconds(10'000));
  EXPECT_EQ(QuotaPeriod(Millicores{100}), microseconds(10'000));
  EXPECT_EQ(QuotaPeriod(Millicores{50}), microseconds(20'000));
}

}  // namespace
}  // namespace mete
