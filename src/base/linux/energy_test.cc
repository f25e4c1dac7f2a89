#include "linux/energy.h"

#include <gtest/gtest.h>

#include <fstream>

#include "linux/test_machines.h"

namespace mete {
namespace {

class EnergyTest : public EmptyMachine {
 protected:
  void PutZone(const std::string& zone, const std::string& name) {
    const std::string path = "/sys/class/powercap/" + zone;
    Put(path + "/name", name + "\n");
    Put(path + "/energy_uj", "5000000\n");
  }
};

EnergyCounter At(uint64_t microjoules) {
  return {.source = "rapl/package-0",
          .total = {microjoules},
          .range = Microjoules{262143328850}};
}

TEST_F(EnergyTest, IsThatOfThePackageNotOfItsCores) {
  auto counters = ReadEnergyCounters(Recorded("x86"));
  ASSERT_EQ(counters.size(), 1u);
  EXPECT_EQ(counters[0].source, "rapl/package-0");
  EXPECT_EQ(counters[0].part, EnergyPart::kPackage);
  EXPECT_EQ(counters[0].total, Microjoules{56231034812});
  EXPECT_EQ(counters[0].range, Microjoules{262143328850});
}

TEST_F(EnergyTest, ListsTheMemoryNextToEachPackage) {
  PutZone("intel-rapl:0", "package-0");
  PutZone("intel-rapl:0:0", "core");
  PutZone("intel-rapl:0:1", "dram");
  PutZone("intel-rapl:1", "package-1");
  PutZone("intel-rapl:1:0", "dram");
  auto counters = ReadEnergyCounters(root);
  ASSERT_EQ(counters.size(), 4u);
  EXPECT_EQ(counters[0].source, "rapl/package-0");
  EXPECT_EQ(counters[1].source, "rapl/package-0/dram");
  EXPECT_EQ(counters[1].part, EnergyPart::kDram);
  EXPECT_EQ(counters[2].source, "rapl/package-1");
  EXPECT_EQ(counters[3].source, "rapl/package-1/dram");
}

TEST_F(EnergyTest, IsNotCountedTwice) {
  PutZone("intel-rapl", "control type");
  PutZone("intel-rapl:0", "package-0-die-0");
  PutZone("intel-rapl:0:0", "uncore");
  PutZone("intel-rapl:1", "psys");
  PutZone("intel-rapl-mmio:0", "package-0");
  auto counters = ReadEnergyCounters(root);
  ASSERT_EQ(counters.size(), 1u);
  EXPECT_EQ(counters[0].source, "rapl/package-0-die-0");
}

TEST_F(EnergyTest, IsAbsentWhenOnlyRootMayReadIt) {
  Put("/sys/class/powercap/intel-rapl:0/name", "package-0\n");
  // A folder in place of the counter is unreadable even for root.
  Put("/sys/class/powercap/intel-rapl:0/energy_uj/x", "\n");
  EXPECT_TRUE(ReadEnergyCounters(root).empty());
}

TEST_F(EnergyTest, BetweenTwoReadingsIsTheirDifference) {
  EXPECT_EQ(EnergyBetween(At(1000), At(1700)), Microjoules{700});
  EXPECT_EQ(EnergyBetween(At(1000), At(1000)), Microjoules{0});
}

TEST_F(EnergyTest, CorrectsForACounterThatWraps) {
  EXPECT_EQ(EnergyBetween(At(262143328000), At(150)), Microjoules{1000});
}

TEST_F(EnergyTest, IsAbsentWhereTheRangeIsUnknownOrWrong) {
  EnergyCounter before = At(1000);
  EnergyCounter after = At(10);
  after.range = std::nullopt;
  EXPECT_EQ(EnergyBetween(before, after), std::nullopt);
  after.range = Microjoules{500};
  EXPECT_EQ(EnergyBetween(before, after), std::nullopt);
}

TEST_F(EnergyTest, IsAbsentBetweenDifferentCounters) {
  EnergyCounter other = At(1700);
  other.source = "rapl/package-1";
  EXPECT_EQ(EnergyBetween(At(1000), other), std::nullopt);
}

TEST_F(EnergyTest, OfACounterThatBecomesUnreadableIsAbsent) {
  PutZone("intel-rapl:0", "package-0");
  auto meters = FindEnergyMeters(root);
  ASSERT_EQ(ReadEnergyCounters(meters).size(), 1u);
  std::ofstream(root.Locate("/sys/class/powercap/intel-rapl:0/energy_uj"))
      << "unknown";
  EXPECT_TRUE(ReadEnergyCounters(meters).empty());
}

TEST_F(EnergyTest, ACounterMayReachItsRange) {
  EXPECT_EQ(EnergyBetween(At(262143328850), At(150)), Microjoules{150});
  EXPECT_EQ(EnergyBetween(At(262143328851), At(150)), std::nullopt);
}

}  // namespace
}  // namespace mete
