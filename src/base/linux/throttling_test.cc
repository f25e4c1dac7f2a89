#include "linux/throttling.h"

#include <gtest/gtest.h>

#include "linux/test_machines.h"

namespace mete {
namespace {

using ThrottlingTest = EmptyMachine;

TEST_F(ThrottlingTest, CountsTheEventsOfEveryCore) {
  Put("/sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count",
      "3\n");
  Put("/sys/devices/system/cpu/cpu1/thermal_throttle/core_throttle_count",
      "4\n");
  Put("/sys/devices/system/cpu/cpufreq/thermal_throttle/core_throttle_count",
      "100\n");
  auto cores = ThrottlingReader(root).Read().cores;
  ASSERT_EQ(cores.size(), 2u);
  EXPECT_EQ(cores[1].core, 1u);
  EXPECT_EQ(cores[1].events, 4u);
}

TEST_F(ThrottlingTest, ReportsTheLevelOfACoolingDevice) {
  Put("/sys/class/thermal/cooling_device0/type", "pwm-fan\n");
  Put("/sys/class/thermal/cooling_device0/max_state", "4\n");
  Put("/sys/class/thermal/cooling_device0/cur_state", "1\n");
  Put("/sys/class/thermal/thermal_zone0/type", "cpu-thermal\n");
  Throttling throttling = ThrottlingReader(root).Read();
  ASSERT_EQ(throttling.cooling.size(), 1u);
  EXPECT_EQ(throttling.cooling[0].source, "cooling_device0/pwm-fan");
  EXPECT_EQ(throttling.cooling[0].level, 0.25);
}

TEST_F(ThrottlingTest, DetectsTheWeakSupplyOfAPi) {
  Put("/sys/class/hwmon/hwmon1/name", "rpi_volt\n");
  Put("/sys/class/hwmon/hwmon1/in0_lcrit_alarm", "1\n");
  EXPECT_EQ(ThrottlingReader(root).Read().under_voltage, true);
}

TEST_F(ThrottlingTest, IsAbsentWhereNothingReportsIt) {
  Throttling throttling = ThrottlingReader(root).Read();
  EXPECT_TRUE(throttling.cores.empty());
  EXPECT_TRUE(throttling.cooling.empty());
  EXPECT_FALSE(throttling.under_voltage);
}

TEST_F(ThrottlingTest, FindsTheSupplyOfAPiBehindOtherChips) {
  Put("/sys/class/hwmon/hwmon0/name", "nvme\n");
  Put("/sys/class/hwmon/hwmon1/name", "rpi_volt\n");
  Put("/sys/class/hwmon/hwmon1/in0_lcrit_alarm", "0\n");
  EXPECT_EQ(ThrottlingReader(root).Read().under_voltage, false);
}

TEST_F(ThrottlingTest, OmitsDevicesWithoutLevelsOrState) {
  Put("/sys/class/thermal/cooling_device0/max_state", "0\n");
  Put("/sys/class/thermal/cooling_device0/cur_state", "0\n");
  Put("/sys/class/thermal/cooling_device1/cur_state", "1\n");
  Put("/sys/class/thermal/cooling_device2/max_state", "4\n");
  Put("/sys/class/thermal/thermal_zone0/max_state", "4\n");
  Put("/sys/class/thermal/thermal_zone0/cur_state", "4\n");
  EXPECT_TRUE(ThrottlingReader(root).Read().cooling.empty());
}

TEST_F(ThrottlingTest, ADeviceMayHaveOneLevel) {
  Put("/sys/class/thermal/cooling_device0/max_state", "1\n");
  Put("/sys/class/thermal/cooling_device0/cur_state", "1\n");
  auto cooling = ThrottlingReader(root).Read().cooling;
  ASSERT_EQ(cooling.size(), 1u);
  EXPECT_EQ(cooling[0].level, 1);
}

}  // namespace
}  // namespace mete
