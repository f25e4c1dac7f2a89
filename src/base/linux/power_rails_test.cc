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

TEST_F(PowerRails, AreThoseOfChannelsThatMeasure) {
  PutChip("ina226", "power1_input", "5250000");
  PutChip("ina226", "power2_crit", "9000000");
  PutChip("ina226", "energy3_input", "9000000");
  EXPECT_EQ(FindPowerMeters(root).size(), 1u);
}

TEST_F(PowerRails, OfAChipWithoutANameAreLeftOut) {
  Put("/sys/class/hwmon/hwmon0/power1_input", "5250000\n");
  EXPECT_TRUE(ReadPowerRails(root).empty());
}

TEST_F(PowerRails, OfOtherIioDevicesAreLeftOut) {
  const std::string device = "/sys/bus/iio/devices/iio:device0/";
  Put(device + "name", "ads1015\n");
  Put(device + "rail_name_0", "VDD\n");
  Put(device + "in_power0_input", "100\n");
  EXPECT_TRUE(ReadPowerRails(root).empty());
  Put(device + "name", "ina3221x\n");
  EXPECT_EQ(ReadPowerRails(root).size(), 1u);
}

TEST_F(PowerRails, OfABatteryComeWithItsCharge) {
  PutBattery("capacity", "57");
  auto batteries = ReadBatteries(root);
  ASSERT_EQ(batteries.size(), 1u);
  ASSERT_TRUE(batteries[0].charge.has_value());
  EXPECT_NEAR(*batteries[0].charge, 0.57, 1e-12);
}

TEST_F(PowerRails, OfABatteryNeedVoltageAndCurrent) {
  PutBattery("status", "Discharging");
  PutBattery("current_now", "500000");
  EXPECT_EQ(ReadBatteries(root).at(0).draw, std::nullopt);
  PutBattery("voltage_now", "12000000");
  EXPECT_EQ(ReadBatteries(root).at(0).draw, Watts{6});
  std::filesystem::remove(
      root.Locate("/sys/class/power_supply/BAT0/current_now"));
  EXPECT_EQ(ReadBatteries(root).at(0).draw, std::nullopt);
}

TEST_F(PowerRails, OfABatteryReportedAsNegativePowerAreItsAmount) {
  PutBattery("status", "Discharging");
  PutBattery("power_now", "-8000000");
  EXPECT_EQ(ReadBatteries(root).at(0).draw, Watts{8});
}

TEST_F(PowerRails, StoredEnergyHasPlausibleBounds) {
  auto stored = [&](const std::string& microwatt_hours) {
    PutBattery("energy_now", microwatt_hours);
    return ReadBatteries(root).at(0).stored;
  };
  EXPECT_EQ(stored("0"), Microjoules{0});
  EXPECT_EQ(stored("-1"), std::nullopt);
  EXPECT_EQ(stored("1125899906842624"), Microjoules{1125899906842624 * 3600});
  EXPECT_EQ(stored("1125899906842625"), std::nullopt);
}

TEST(WholeMachineRail, IsAbsentIfNothingFeedsTheMachine) {
  EXPECT_FALSE(WholeMachineRail({{.source = "hwmon1/amdgpu/PPT"}},
                                {{.source = "battery/BAT0"}})
                   .has_value());
}

}  // namespace
}  // namespace mete
