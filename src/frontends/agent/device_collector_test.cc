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

}  // namespace
}  // namespace mete
