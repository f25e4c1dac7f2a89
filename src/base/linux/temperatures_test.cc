#include "linux/temperatures.h"

#include <gtest/gtest.h>

#include "linux/test_machines.h"

namespace mete {
namespace {

using Temperatures = EmptyMachine;

TEST_F(Temperatures, NameTheirZoneOrTheirChipAndLabel) {
  auto found = ReadTemperatures(Recorded("x86"));
  ASSERT_EQ(found.size(), 5u);
  EXPECT_EQ(found[2].source, "thermal_zone2/x86_pkg_temp");
  EXPECT_EQ(found[2].celsius, 43.0);
  EXPECT_EQ(found[3].source, "hwmon0/coretemp/temp1");
  EXPECT_EQ(found[3].celsius, 44.0);
  EXPECT_EQ(found[4].source, "hwmon0/coretemp/Core 0");
  EXPECT_EQ(found[4].celsius, 41.0);
}

TEST_F(Temperatures, OmitASensorWithoutAValue) {
  // Orin powers the GPU down; its zone then cannot be read or reports -256
  // degrees.
  Put("/sys/class/thermal/thermal_zone0/type", "gpu-thermal\n");
  Put("/sys/class/thermal/thermal_zone1/type", "cv0-thermal\n");
  Put("/sys/class/thermal/thermal_zone1/temp", "-256000\n");
  Put("/sys/class/thermal/thermal_zone2/type", "cpu-thermal\n");
  Put("/sys/class/thermal/thermal_zone2/temp", "48562\n");
  auto found = ReadTemperatures(root);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].source, "thermal_zone2/cpu-thermal");
  EXPECT_EQ(found[0].celsius, 48.562);
}

TEST_F(Temperatures, AreNotLimitsNorCoolingDevices) {
  Put("/sys/class/thermal/cooling_device0/type", "pwm-fan\n");
  Put("/sys/class/thermal/cooling_device0/temp", "1000\n");
  Put("/sys/class/hwmon/hwmon0/name", "nvme\n");
  Put("/sys/class/hwmon/hwmon0/temp1_max", "84850\n");
  Put("/sys/class/hwmon/hwmon0/in1_input", "5000\n");
  EXPECT_TRUE(ReadTemperatures(root).empty());
}

TEST_F(Temperatures, AreBetweenMinus40And150Degrees) {
  EXPECT_EQ(Celsius(-40000), std::nullopt);
  EXPECT_EQ(Celsius(-39999), -39.999);
  EXPECT_EQ(Celsius(149999), 149.999);
  EXPECT_EQ(Celsius(150000), std::nullopt);
  EXPECT_EQ(Celsius(std::nullopt), std::nullopt);
}

TEST_F(Temperatures, OfZonesAndChipsWithoutANameAreLeftOut) {
  Put("/sys/class/thermal/thermal_zone0/temp", "48562\n");
  Put("/sys/class/hwmon/hwmon0/temp1_input", "48562\n");
  EXPECT_TRUE(ReadTemperatures(root).empty());
  Put("/sys/class/thermal/thermal_zone0/type", "PMIC-Die\n");
  EXPECT_TRUE(ReadTemperatures(root).empty());
}

}  // namespace
}  // namespace mete
