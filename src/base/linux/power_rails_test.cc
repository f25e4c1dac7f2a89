#include "linux/power_rails.h"

#include <gtest/gtest.h>

#include "linux/test_machines.h"

namespace mete {
namespace {

class PowerRails : public EmptyMachine {
 protected:
  void PutChip(const std::string& name, const std::string& file,
               const std::string& content) {
    Put("/sys/class/hwmon/hwmon0/name", name + "\n");
    Put("/sys/class/hwmon/hwmon0/" + file, content + "\n");
  }
  void PutBattery(const std::string& file, const std::string& content) {
    Put("/sys/class/power_supply/BAT0/type", "Battery\n");
    Put("/sys/class/power_supply/BAT0/" + file, content + "\n");
  }
};

TEST_F(PowerRails, AreVoltageTimesCurrentOnAnOrin) {
  auto rails = ReadPowerRails(Recorded("jetson-orin"));
  ASSERT_EQ(rails.size(), 3u);  // not the sum of shunt voltages
  EXPECT_EQ(rails[0].source, "hwmon3/ina3221/VDD_IN");
  EXPECT_NEAR(rails[0].power.count, 4.98 * 0.848, 1e-9);
  EXPECT_EQ(rails[1].source, "hwmon3/ina3221/VDD_CPU_GPU_CV");
  EXPECT_EQ(rails[2].source, "hwmon3/ina3221/VDD_SOC");
}

TEST_F(PowerRails, AreReadFromTheOlderDriverOfANano) {
  auto rails = ReadPowerRails(Recorded("jetson-nano"));
  ASSERT_EQ(rails.size(), 3u);
  EXPECT_EQ(rails[0].source, "iio:device0/ina3221x/POM_5V_IN");
  EXPECT_NEAR(rails[0].power.count, 2.532, 1e-9);
  EXPECT_EQ(rails[2].source, "iio:device0/ina3221x/POM_5V_CPU");
}

TEST_F(PowerRails, AreReadInMicrowatts) {
  PutChip("ina226", "power1_input", "5250000");
  PutChip("ina226", "power1_label", "VBUS");
  PutChip("ina226", "power1_crit", "9000000");
  PutChip("ina226", "in1_input", "5000");
  PutChip("ina226", "curr1_input", "1050");
  auto rails = ReadPowerRails(root);
  ASSERT_EQ(rails.size(), 1u);
  EXPECT_EQ(rails[0].source, "hwmon0/ina226/VBUS");
  EXPECT_NEAR(rails[0].power.count, 5.25, 1e-9);
}

TEST_F(PowerRails, AreReadAsAnAverageWhereNothingElseIsReported) {
  PutChip("amdgpu", "power1_average", "31000000");
  auto rails = ReadPowerRails(root);
  ASSERT_EQ(rails.size(), 1u);
  EXPECT_EQ(rails[0].source, "hwmon0/amdgpu/power1");
  EXPECT_NEAR(rails[0].power.count, 31, 1e-9);
}

TEST_F(PowerRails, AreOmittedWhenHalfOfAPairIsMissing) {
  PutChip("ina3221", "in1_label", "VDD_IN");
  PutChip("ina3221", "in1_input", "5000");
  EXPECT_TRUE(ReadPowerRails(root).empty());
}

TEST_F(PowerRails, OfABatteryAreThePowerTheMachineDraws) {
  PutBattery("status", "Discharging");
  PutBattery("power_now", "8123000");
  PutBattery("energy_now", "41000000");
  auto batteries = ReadBatteries(root);
  ASSERT_EQ(batteries.size(), 1u);
  EXPECT_EQ(batteries[0].source, "battery/BAT0");
  ASSERT_TRUE(batteries[0].draw.has_value());
  EXPECT_NEAR(batteries[0].draw->count, 8.123, 1e-9);
  EXPECT_EQ(batteries[0].stored, Microjoules{147600000000});  // 41 Wh
}

TEST_F(PowerRails, OfABatteryMayBeVoltageAndNegativeCurrent) {
  PutBattery("status", "Discharging");
  PutBattery("voltage_now", "12000000");
  PutBattery("current_now", "-500000");
  PutBattery("charge_now", "3000000");
  auto batteries = ReadBatteries(root);
  ASSERT_EQ(batteries.size(), 1u);
  ASSERT_TRUE(batteries[0].draw.has_value());
  EXPECT_NEAR(batteries[0].draw->count, 6, 1e-9);
  EXPECT_EQ(batteries[0].stored, std::nullopt);
}

TEST_F(PowerRails, OfABatteryAreAbsentWhileItCharges) {
  PutBattery("status", "Charging");
  PutBattery("power_now", "20000000");
  auto batteries = ReadBatteries(root);
  ASSERT_EQ(batteries.size(), 1u);
  EXPECT_EQ(batteries[0].draw, std::nullopt);
}

TEST_F(PowerRails, OmitTheMouseAndTheMains) {
  PutBattery("scope", "Device");
  Put("/sys/class/power_supply/AC/type", "Mains\n");
  EXPECT_TRUE(ReadBatteries(root).empty());
}

TEST(WholeMachineRail, IsTheInputRailNotAPartOfIt) {
  auto rail = WholeMachineRail(
      {{.source = "hwmon3/ina3221/VDD_CPU_GPU_CV", .power = Watts{1}},
       {.source = "hwmon3/ina3221/VDD_IN", .power = Watts{5}}},
      {});
  ASSERT_TRUE(rail.has_value());
  EXPECT_EQ(rail->power, Watts{5});
}

TEST(WholeMachineRail, FallsBackToTheBatteryThatFeedsTheMachine) {
  auto rail =
      WholeMachineRail({{.source = "hwmon1/amdgpu/PPT", .power = Watts{1}}},
                       {{.source = "battery/BAT0", .draw = Watts{7}}});
  ASSERT_TRUE(rail.has_value());
  EXPECT_EQ(rail->source, "battery/BAT0");
}

}  // namespace
}  // namespace mete
