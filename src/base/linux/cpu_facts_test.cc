#include "linux/cpu_facts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "linux/test_machines.h"

namespace mete {
namespace {

using CpuFacts = EmptyMachine;

TEST_F(CpuFacts, NameAnX86ProcessorAsItNamesItself) {
  EXPECT_EQ(ReadCpuModel(Recorded("x86")),
            "Intel(R) Core(TM) i7-7700 CPU @ 3.60GHz");
}

TEST_F(CpuFacts, NameAnArmProcessorByItsPartNumber) {
  EXPECT_EQ(ReadCpuModel(Recorded("pi4")), "Arm Cortex-A72");
  EXPECT_EQ(ReadCpuModel(Recorded("jetson-nano")), "Arm Cortex-A57");
}

TEST_F(CpuFacts, NameBothKindsOfCoreOnce) {
  Put("/proc/cpuinfo",
      "CPU implementer\t: 0x41\nCPU part\t: 0xd05\n\n"
      "CPU implementer\t: 0x41\nCPU part\t: 0xd05\n\n"
      "CPU implementer\t: 0x41\nCPU part\t: 0xd0b\n");
  EXPECT_EQ(ReadCpuModel(root), "Arm Cortex-A55 + Arm Cortex-A76");
}

TEST_F(CpuFacts, FallBackToTheModelNameOfAnUnknownPart) {
  Put("/proc/cpuinfo",
      "model name\t: ARMv9 Processor rev 0\nCPU implementer\t: 0x99\n"
      "CPU part\t: 0x001\n");
  EXPECT_EQ(ReadCpuModel(root), "ARMv9 Processor rev 0");
}

TEST_F(CpuFacts, AreAbsentWhereNothingCanBeRead) {
  EXPECT_EQ(ReadCpuModel(root), "");
  EXPECT_EQ(ReadMaxFrequency(root), std::nullopt);
  EXPECT_EQ(ReadGovernor(root), std::nullopt);
  EXPECT_EQ(ReadCpuTemperature(root), std::nullopt);
  EXPECT_TRUE(ReadCaches(root).empty());
}

TEST_F(CpuFacts, TakeTheFrequencyOfTheFastestCore) {
  Put("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", "1800000\n");
  Put("/sys/devices/system/cpu/cpu4/cpufreq/cpuinfo_max_freq", "2400000\n");
  EXPECT_EQ(ReadMaxFrequency(root), 2.4e9);
}

TEST_F(CpuFacts, ListCachesFromTheNearestToTheFarthest) {
  EXPECT_THAT(ReadCaches(Recorded("x86")),
              testing::ElementsAre(CacheLevel{"L1d", Kibibytes(32)},
                                   CacheLevel{"L1i", Kibibytes(32)},
                                   CacheLevel{"L2", Kibibytes(256)},
                                   CacheLevel{"L3", Kibibytes(8192)}));
}

TEST_F(CpuFacts, OmitACacheOfUnknownSize) {
  Put("/sys/devices/system/cpu/cpu0/cache/index0/level", "1\n");
  Put("/sys/devices/system/cpu/cpu0/cache/index0/type", "Data\n");
  EXPECT_TRUE(ReadCaches(root).empty());
}

TEST_F(CpuFacts, ReadTheGovernor) {
  EXPECT_EQ(ReadGovernor(Recorded("pi4")), "ondemand");
}

TEST_F(CpuFacts, ReadTheProcessorsThermalZoneAmongOthers) {
  EXPECT_EQ(ReadCpuTemperature(Recorded("x86")), 43.0);
  EXPECT_EQ(ReadCpuTemperature(Recorded("pi4")), 48.686);
  EXPECT_EQ(ReadCpuTemperature(Recorded("jetson-nano")), 25.0);
}

TEST_F(CpuFacts, ReadTheSensorChipWhereNoZoneBelongsToTheProcessor) {
  Put("/sys/class/thermal/thermal_zone0/type", "acpitz\n");
  Put("/sys/class/thermal/thermal_zone0/temp", "16800\n");
  Put("/sys/class/hwmon/hwmon0/name", "nvme\n");
  Put("/sys/class/hwmon/hwmon0/temp1_input", "38850\n");
  Put("/sys/class/hwmon/hwmon1/name", "k10temp\n");
  Put("/sys/class/hwmon/hwmon1/temp1_input", "51250\n");
  EXPECT_EQ(ReadCpuTemperature(root), 51.25);
}

TEST_F(CpuFacts, RejectAnImplausibleTemperature) {
  Put("/sys/class/thermal/thermal_zone0/type", "cpu-thermal\n");
  Put("/sys/class/thermal/thermal_zone0/temp", "-273000\n");
  EXPECT_EQ(ReadCpuTemperature(root), std::nullopt);
}

TEST_F(CpuFacts, AnArmPartOfNobodyHasNoName) {
  Put("/proc/cpuinfo",
      "model name\t: fallback\nCPU implementer\t: 0x0\nCPU part\t: 0x0\n");
  EXPECT_EQ(ReadCpuModel(root), "fallback");
  Put("/proc/cpuinfo", "model name\t: fallback\nCPU part\t: 0xd03\n");
  EXPECT_EQ(ReadCpuModel(root), "fallback");
}

TEST_F(CpuFacts, NumbersOfPartsMayLackTheirPrefix) {
  Put("/proc/cpuinfo", "CPU implementer\t: 41\nCPU part\t: d03\n");
  EXPECT_EQ(ReadCpuModel(root), "Arm Cortex-A53");
}

TEST_F(CpuFacts, ReadCacheSizesInEveryUnit) {
  const std::string cache = "/sys/devices/system/cpu/cpu0/cache/index0/";
  Put(cache + "level", "3\n");
  Put(cache + "type", "Unified\n");
  auto size = [&](const char* text) -> std::optional<Bytes> {
    Put(cache + "size", text);
    auto caches = ReadCaches(root);
    if (caches.empty()) return std::nullopt;
    return caches[0].size;
  };
  EXPECT_EQ(size("512\n"), Bytes{512});
  EXPECT_EQ(size("48K\n"), Kibibytes(48));
  EXPECT_EQ(size("32M\n"), Mebibytes(32));
  EXPECT_EQ(size("1G\n"), std::nullopt);
  EXPECT_EQ(size("0K\n"), std::nullopt);
  EXPECT_EQ(size("K\n"), std::nullopt);
}

TEST_F(CpuFacts, OmitACacheOfUnknownLevelOrType) {
  const std::string cache = "/sys/devices/system/cpu/cpu0/cache/";
  Put(cache + "index0/type", "Data\n");
  Put(cache + "index0/size", "32K\n");
  Put(cache + "index1/level", "1\n");
  Put(cache + "index1/size", "32K\n");
  EXPECT_TRUE(ReadCaches(root).empty());
}

TEST_F(CpuFacts, HaveNoMaximumFrequencyIfItIsZeroOrOfNoCore) {
  Put("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", "0\n");
  Put("/sys/devices/system/cpu/cpuidle/cpufreq/cpuinfo_max_freq", "9\n");
  EXPECT_EQ(ReadMaxFrequency(root), std::nullopt);
  Put("/sys/devices/system/cpu/cpu1/cpufreq/cpuinfo_max_freq", "1\n");
  EXPECT_EQ(ReadMaxFrequency(root), 1000);
}

TEST_F(CpuFacts, FindTheZoneOfTheProcessorInAnySpelling) {
  Put("/sys/class/thermal/thermal_zone0/type", "SOC_therm\n");
  Put("/sys/class/thermal/thermal_zone0/temp", "30000\n");
  EXPECT_EQ(ReadCpuTemperature(root), 30);
  Put("/sys/class/thermal/thermal_zone1/type", "CPU_therm\n");
  Put("/sys/class/thermal/thermal_zone1/temp", "31000\n");
  EXPECT_EQ(ReadCpuTemperature(root), 31);
  Put("/sys/class/thermal/thermal_zone2/type", "x86_pkg_temp\n");
  Put("/sys/class/thermal/thermal_zone2/temp", "32000\n");
  EXPECT_EQ(ReadCpuTemperature(root), 32);
}

TEST_F(CpuFacts, ReadEverySensorChipOfProcessors) {
  for (const char* chip : {"coretemp", "k10temp", "zenpower", "cpu_thermal"}) {
    Put("/sys/class/hwmon/hwmon0/name", std::string(chip) + "\n");
    Put("/sys/class/hwmon/hwmon0/temp1_input", "51250\n");
    EXPECT_EQ(ReadCpuTemperature(root), 51.25) << chip;
  }
}

}  // namespace
}  // namespace mete
