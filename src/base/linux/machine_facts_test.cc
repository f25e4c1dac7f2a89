#include "linux/machine_facts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "linux/test_machines.h"

namespace mete {
namespace {

TEST(MachineFacts, DescribeADesktop) {
  auto facts = ReadDeviceFacts(Recorded("x86"), {"x86_64", 4});
  ASSERT_TRUE(facts.ok());
  EXPECT_EQ(facts->architecture, "x86_64");
  EXPECT_EQ(facts->cores, 4);
  EXPECT_EQ(facts->max_frequency_hz, 4.2e9);
  EXPECT_EQ(facts->caches.size(), 4u);
  EXPECT_EQ(facts->ram, Kibibytes(16309396));
  EXPECT_EQ(facts->gpus.size(), 2u);
  EXPECT_EQ(facts->os, "Debian GNU/Linux 12 (bookworm)");
  EXPECT_EQ(facts->kernel, "6.1.0-18-amd64");
  EXPECT_EQ(facts->board, "Dell Inc. OptiPlex 7050");
}

TEST(MachineFacts, NameTheBoardFromCpuinfoOrDeviceTree) {
  EXPECT_EQ(ReadBoard(Recorded("pi4")), "Raspberry Pi 4 Model B Rev 1.4");
  EXPECT_EQ(ReadBoard(Recorded("jetson-nano")),
            "NVIDIA Jetson Nano Developer Kit");
}

TEST(MachineFacts, IgnorePlaceholdersOfTheBoardMaker) {
  ScratchFolder folder = *ScratchFolder::Create();
  SystemRoot root(folder.path());
  auto dmi = root.Locate("/sys/class/dmi/id");
  std::filesystem::create_directories(dmi);
  ASSERT_TRUE(WriteFileAtomically(dmi / "sys_vendor", "ASUS\n").ok());
  ASSERT_TRUE(
      WriteFileAtomically(dmi / "product_name", "System Product Name\n").ok());
  EXPECT_EQ(ReadBoard(root), "ASUS");
}

TEST(MachineFacts, FailOnATreeWithoutMemory) {
  ScratchFolder folder = *ScratchFolder::Create();
  auto facts = ReadDeviceFacts(SystemRoot(folder.path()), {"x86_64", 4});
  ASSERT_FALSE(facts.ok());
  EXPECT_EQ(facts.error().code(), ErrorCode::kUnavailable);
}

TEST(MachineFacts, DescribeWhatCouldDisturbAMeasurement) {
  Environment state = ReadMachineState(Recorded("jetson-nano"), {"aarch64", 4});
  EXPECT_EQ(state.cpu_model, "Arm Cortex-A57");
  EXPECT_EQ(state.cores, 4);
  EXPECT_EQ(state.governor, "schedutil");
  EXPECT_EQ(state.kernel, "4.9.253-tegra");
  EXPECT_EQ(state.load_average, 1.21);
  EXPECT_EQ(state.temperature_celsius, 25.0);
}

TEST(MachineFacts, OmitWhatTheMachineDoesNotReport) {
  ScratchFolder folder = *ScratchFolder::Create();
  Environment state =
      ReadMachineState(SystemRoot(folder.path()), {"x86_64", 1});
  EXPECT_EQ(state.governor, std::nullopt);
  EXPECT_EQ(state.load_average, std::nullopt);
  EXPECT_EQ(state.temperature_celsius, std::nullopt);
}

TEST(MachineFacts, ReadThePeakMemoryOfThisProcess) {
  EXPECT_EQ(ReadPeakMemory(Recorded("x86")), Kibibytes(7340));
  EXPECT_EQ(ReadPeakMemory(Recorded("pi4")), std::nullopt);
}

TEST(MachineFacts, ReadPerfEventParanoid) {
  EXPECT_EQ(ReadPerfParanoia(Recorded("x86")), 3);
}

TEST(MachineFacts, ListEnergyCounters) {
  auto domains = ReadRapl(Recorded("x86"));
  ASSERT_EQ(domains.size(), 2u);
  EXPECT_EQ(domains[0].name, "package-0");
  EXPECT_TRUE(domains[0].readable);
  EXPECT_TRUE(ReadRapl(Recorded("pi4")).empty());
}

TEST(MachineFacts, MarkAnEnergyCounterThatCannotBeRead) {
  ScratchFolder folder = *ScratchFolder::Create();
  SystemRoot root(folder.path());
  auto zone = root.Locate("/sys/class/powercap/intel-rapl:0");
  // A folder in place of the counter is unreadable even for root.
  std::filesystem::create_directories(zone / "energy_uj");
  ASSERT_TRUE(WriteFileAtomically(zone / "name", "package-0\n").ok());
  auto domains = ReadRapl(root);
  ASSERT_EQ(domains.size(), 1u);
  EXPECT_FALSE(domains[0].readable);
}

class MachineFactsOfFiles : public EmptyMachine {};

TEST_F(MachineFactsOfFiles, NameTheSystemWithoutItsQuotes) {
  auto name = [&](const std::string& value) {
    Put("/etc/os-release", "PRETTY_NAME=" + value + "\n");
    return ReadOsName(root);
  };
  EXPECT_EQ(name("\"Debian 12\""), "Debian 12");
  EXPECT_EQ(name("'Debian 12'"), "Debian 12");
  EXPECT_EQ(name("Alma"), "Alma");
  EXPECT_EQ(name("NixOSN"), "NixOSN");
  EXPECT_EQ(name("\"half"), "\"half");
  EXPECT_EQ(name("\"'"), "\"'");
  EXPECT_EQ(name("\"\""), "");
  EXPECT_EQ(name("\""), "\"");
}

TEST_F(MachineFactsOfFiles, FindTheNameOfTheSystemInItsSecondPlace) {
  EXPECT_EQ(ReadOsName(root), "");
  Put("/etc/os-release", "ID=x\n");
  Put("/usr/lib/os-release", "PRETTY_NAME=Two\n");
  EXPECT_EQ(ReadOsName(root), "Two");
  Put("/etc/os-release", "PRETTY_NAME=One\n");
  EXPECT_EQ(ReadOsName(root), "One");
}

TEST_F(MachineFactsOfFiles, ListOnlyEnergyCountersWithNameAndValue) {
  Put("/sys/class/powercap/intel-rapl/name", "no counter\n");
  Put("/sys/class/powercap/intel-rapl:0/energy_uj", "5\n");
  EXPECT_TRUE(ReadRapl(root).empty());
  Put("/sys/class/powercap/intel-rapl:0/name", "package-0\n");
  EXPECT_EQ(ReadRapl(root).size(), 1u);
}

TEST_F(MachineFactsOfFiles, JoinVendorAndProduct) {
  EXPECT_EQ(ReadBoard(root), "");
  Put("/sys/class/dmi/id/product_name", "X1\n");
  EXPECT_EQ(ReadBoard(root), "X1");
  Put("/sys/class/dmi/id/sys_vendor", "Maker\n");
  EXPECT_EQ(ReadBoard(root), "Maker X1");
}

}  // namespace
}  // namespace mete
