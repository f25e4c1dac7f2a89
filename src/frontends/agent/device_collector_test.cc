#include "agent/device_collector.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "agent/test_machine.h"
#include "support/file.h"
#include "tests/fakes/fake_clock.h"

namespace mete {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST(DeviceCollectorTest, ExportsARecordedDesktop) {
  FakeClock clock;
  SystemRoot root = RecordedMachine("x86");
  DeviceCollector collector(ReadIdentity(root), root, clock);
  std::string page = CollectPage(collector);
  EXPECT_THAT(
      page,
      AllOf(HasSubstr("mete_device_info{node=\"edge-1\",uuid=\""),
            HasSubstr("class=\"Computer\",kind=\"computer\","
                      "architecture=\"x86_64\""),
            HasSubstr("mete_device_cores{node=\"edge-1\"} 4\n"),
            // cpu0: user 1048415 + nice 600 ticks of 10 ms.
            HasSubstr("mete_device_cpu_seconds_total{node=\"edge-1\","
                      "core=\"0\",mode=\"user\"} 10490.15\n"),
            HasSubstr("mode=\"idle\"} 3525.78\n"),
            HasSubstr("mete_device_load_average{node=\"edge-1\",window=\"5m\"} "
                      "0.58\n"),
            HasSubstr("resource=\"io\",stalled=\"full\"} 29.38545\n"),
            HasSubstr("sensor=\"thermal_zone2/x86_pkg_temp\"} 43\n"),
            Not(HasSubstr("resource=\"cpu\",stalled=\"full\""))));
}

TEST(DeviceCollectorTest, ExportsTheRailsOfAJetsonAndTheirEnergy) {
  FakeClock clock;
  SystemRoot root = RecordedMachine("jetson-orin");
  DeviceCollector collector(ReadIdentity(root, "aarch64", 4), root, clock);
  std::string page = CollectPage(collector);
  EXPECT_THAT(page, AllOf(HasSubstr("kind=\"jetson\""),
                          HasSubstr("source=\"hwmon3/ina3221/VDD_IN\"} ")));
  // The same power for two seconds.
  clock.Advance(std::chrono::seconds(2));
  const std::string line =
      "mete_device_power_watts{node=\"edge-1\","
      "source=\"hwmon3/ina3221/VDD_IN\"} ";
  double watts = std::stod(page.substr(page.find(line) + line.size()));
  const std::string sum =
      "mete_device_energy_joules_total{node=\"edge-1\","
      "source=\"hwmon3/ina3221/VDD_IN\"} ";
  page = CollectPage(collector);
  ASSERT_THAT(page, HasSubstr(sum));
  EXPECT_NEAR(std::stod(page.substr(page.find(sum) + sum.size())), 2 * watts,
              1e-9);
  EXPECT_GT(watts, 0);
}

TEST(DeviceCollectorTest, OmitsTheEnergyOfABatteryWhileItIsCharging) {
  ScratchFolder folder = *ScratchFolder::Create();
  std::filesystem::copy(std::string(METE_FIXTURES) + "/root/x86", folder.path(),
                        std::filesystem::copy_options::recursive);
  const auto supply = folder.path() / "sys/class/power_supply/BAT0";
  std::filesystem::create_directories(supply);
  std::ofstream(supply / "type") << "Battery\n";
  std::ofstream(supply / "power_now") << "10000000\n";
  SystemRoot root(folder.path());
  FakeClock clock;
  DeviceCollector collector(ReadIdentity(root), root, clock);
  auto pass = [&](const char* status) {
    std::ofstream(supply / "status") << status << "\n";
    clock.Advance(std::chrono::seconds(3));
    return CollectPage(collector);
  };
  pass("Discharging");
  const std::string series =
      "mete_device_energy_joules_total{node=\"edge-1\","
      "source=\"battery/BAT0\"} ";
  EXPECT_THAT(pass("Discharging"), HasSubstr(series + "30\n"));
  EXPECT_THAT(pass("Charging"), Not(HasSubstr(series)));
  EXPECT_THAT(pass("Discharging"), HasSubstr(series + "30\n"));
  EXPECT_THAT(pass("Discharging"), HasSubstr(series + "60\n"));
}

TEST(DeviceCollectorTest, CountsProcessorEnergyFromTheAgentsStart) {
  ScratchFolder folder = *ScratchFolder::Create();
  std::filesystem::copy(std::string(METE_FIXTURES) + "/root/x86", folder.path(),
                        std::filesystem::copy_options::recursive);
  SystemRoot root(folder.path());
  const auto counter =
      root.Locate("/sys/class/powercap/intel-rapl:0/energy_uj");
  // In place, as the kernel does: the file stays open.
  std::ofstream(counter) << "5000000\n";
  FakeClock clock;
  DeviceCollector collector(ReadIdentity(root), root, clock);
  const std::string series =
      "mete_device_energy_joules_total{node=\"edge-1\","
      "source=\"rapl/package-0\"} ";
  EXPECT_THAT(CollectPage(collector), HasSubstr(series + "0\n"));
  std::ofstream(counter) << "7500000\n";
  clock.Advance(std::chrono::seconds(6));
  EXPECT_THAT(CollectPage(collector), HasSubstr(series + "2.5\n"));
}

TEST(DeviceCollectorTest, FailsWithoutProc) {
  FakeClock clock;
  ScratchFolder folder = *ScratchFolder::Create();
  DeviceCollector collector({}, SystemRoot(folder.path()), clock);
  MetricBatch batch;
  EXPECT_FALSE(collector.Collect(batch).ok());
}

TEST(DeviceCollectorTest, ExportsMemoryTrafficAndTheStartOfADesktop) {
  FakeClock clock;
  SystemRoot root = RecordedMachine("x86");
  DeviceCollector collector(ReadIdentity(root), root, clock);
  const std::string page = CollectPage(collector);
  for (const char* line :
       {"memory_available_bytes{node=\"edge-1\"} 13671284736\n",
        "swap_bytes{node=\"edge-1\"} 1024454656\n",
        "swap_used_bytes{node=\"edge-1\"} 0\n",
        "boot_timestamp_seconds{node=\"edge-1\"} 1700000000\n",
        "network_received_bytes_total{node=\"edge-1\",interface=\"eno1\","
        "physical=\"true\"} 1341287821\n",
        "network_sent_bytes_total{node=\"edge-1\",interface=\"eno1\","
        "physical=\"true\"} 1528245\n",
        "network_received_bytes_total{node=\"edge-1\",interface=\"docker0\","
        "physical=\"false\"} 120344\n",
        "disk_read_bytes_total{node=\"edge-1\",disk=\"sda\"} 2143663104\n",
        "disk_written_bytes_total{node=\"edge-1\",disk=\"sda\"} 4931350528\n",
        "load_average{node=\"edge-1\",window=\"1m\"} 0.52\n",
        "load_average{node=\"edge-1\",window=\"15m\"} 0.59\n"}) {
    EXPECT_THAT(page, HasSubstr(std::string("\nmete_device_") + line)) << line;
  }
  EXPECT_THAT(page, HasSubstr("emulated=\"false\"} 1\n"));
}

// A machine to which a test adds files.
class SmallMachineTest : public testing::Test {
 protected:
  void Put(const std::string& path, const std::string& content) {
    const auto file = root_.Locate(path);
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << content;
  }
  std::string Page() {
    DeviceCollector collector({.node = "n"}, root_, clock_);
    MetricBatch batch;
    static_cast<void>(collector.Collect(batch));
    return WriteMetricPage({&batch}, MetricFormat::kText);
  }

  ScratchFolder scratch_ = *ScratchFolder::Create();
  SystemRoot root_{scratch_.path()};
  FakeClock clock_;
};

TEST_F(SmallMachineTest, ExportsThrottlingCoolingAndUnderVoltage) {
  Put("/sys/devices/system/cpu/cpu3/thermal_throttle/core_throttle_count",
      "12\n");
  Put("/sys/class/thermal/cooling_device0/max_state", "10\n");
  Put("/sys/class/thermal/cooling_device0/cur_state", "4\n");
  Put("/sys/class/thermal/cooling_device0/type", "fan\n");
  Put("/sys/class/hwmon/hwmon0/name", "rpi_volt\n");
  Put("/sys/class/hwmon/hwmon0/in0_lcrit_alarm", "1\n");
  EXPECT_THAT(
      Page(),
      AllOf(HasSubstr("thermal_throttles_total{node=\"n\",core=\"3\"} 12\n"),
            HasSubstr("cooling_ratio{node=\"n\","
                      "cooler=\"cooling_device0/fan\"} 0.4\n"),
            HasSubstr("mete_device_under_voltage{node=\"n\"} 1\n")));
}

TEST_F(SmallMachineTest, ExportsTheChargeOfABattery) {
  Put("/sys/class/power_supply/BAT0/type", "Battery\n");
  Put("/sys/class/power_supply/BAT0/capacity", "83\n");
  EXPECT_THAT(
      Page(),
      HasSubstr("battery_charge_ratio{node=\"n\",battery=\"battery/BAT0\"} "
                "0.83"));
}

TEST_F(SmallMachineTest, ExportsOnlyTheLoadThatIsThere) {
  Put("/proc/loadavg", "0.5 x\n");
  EXPECT_THAT(Page(),
              AllOf(HasSubstr("window=\"1m\"} 0.5\n"), Not(HasSubstr("5m"))));
}

TEST_F(SmallMachineTest, WhatIsNotReadIsAbsent) {
  Put("/proc/meminfo", "MemTotal: 100 kB\n");
  const std::string page = Page();
  for (const char* name : {"memory_available", "boot_", "swap", "load_",
                           "max_frequency", "under_voltage"}) {
    EXPECT_THAT(page, Not(HasSubstr(std::string("\nmete_device_") + name)));
  }
}

}  // namespace
}  // namespace mete
