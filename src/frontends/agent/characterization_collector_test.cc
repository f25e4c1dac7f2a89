#include "agent/characterization_collector.h"

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

const std::string kNode =
    "char_node_name=\"edge-1\",char_node_class=\"Computer\",char_node_uuid=\"" +
    MakeUuid("0123456789abcdef") + "\"";

class CharacterizationTest : public testing::Test {
 protected:
  std::string Page(const SystemRoot& root, const std::string& architecture,
                   const NodeLocation& location = {}) {
    CharacterizationCollector collector(ReadIdentity(root, architecture),
                                        location, root, clock_);
    return CollectPage(collector);
  }
  FakeClock clock_;
};

TEST_F(CharacterizationTest, UsesTheNamesAndLabelsOfEdgeCloudMon) {
  std::string page = Page(RecordedMachine("pi4"), "aarch64");
  EXPECT_THAT(
      page,
      AllOf(HasSubstr("char_node_device_model{" + kNode +
                      ",char_node_device_model_name=\"Raspberry Pi 4 Model B "
                      "Rev 1.4\"} 1\n"),
            HasSubstr("char_node_battery{" + kNode +
                      ",char_node_plugged_battery=\"false\"} 0\n"),
            HasSubstr("char_node_ram_total_bytes{" + kNode + "} "),
            HasSubstr(",char_node_arch=\"aarch64\",char_node_bits=\"64\"} 4\n"),
            HasSubstr("char_node_location{" + kNode +
                      ",char_node_city=\"\",char_node_country=\"\","
                      "char_node_continent=\"\",char_node_latitude=\"\","
                      "char_node_longitude=\"\"} 0\n"),
            HasSubstr("char_node_disk_total_size{" + kNode + "} "),
            HasSubstr("char_node_os_version=\"")));
}

TEST_F(CharacterizationTest, ThirtyTwoBitArmIsRecognised) {
  EXPECT_THAT(Page(RecordedMachine("pi4"), "armv7l"),
              HasSubstr("char_node_arch=\"armv7l\",char_node_bits=\"32\""));
}

TEST_F(CharacterizationTest, ExportsThePowerOfAJetsonProcessor) {
  EXPECT_THAT(Page(RecordedMachine("jetson-orin"), "aarch64"),
              HasSubstr("char_node_cpu_energy_watt{"));
}

TEST_F(CharacterizationTest, ExportsOnlyTheConfiguredLocation) {
  auto place = ParseLocation("city=Athens,country=Greece,latitude=37.9");
  ASSERT_TRUE(place.ok());
  EXPECT_THAT(
      Page(RecordedMachine("pi4"), "aarch64", *place),
      HasSubstr("char_node_city=\"Athens\",char_node_country=\"Greece\","
                "char_node_continent=\"\",char_node_latitude=\"37.9\","
                "char_node_longitude=\"\"} 1\n"));
  EXPECT_EQ(ParseLocation("town=Athens").error().message(),
            "'town=Athens' is not a location; write it like "
            "city=Athens,country=Greece");
  EXPECT_FALSE(ParseLocation("latitude=95").ok());
  EXPECT_FALSE(ParseLocation("longitude=east").ok());
}

TEST_F(CharacterizationTest, ExportsTheChargeOfABattery) {
  ScratchFolder folder = *ScratchFolder::Create();
  std::filesystem::copy(std::string(METE_FIXTURES) + "/root/x86", folder.path(),
                        std::filesystem::copy_options::recursive);
  const auto supply = folder.path() / "sys/class/power_supply/BAT0";
  std::filesystem::create_directories(supply);
  ASSERT_TRUE(WriteFileAtomically(supply / "type", "Battery\n").ok());
  ASSERT_TRUE(WriteFileAtomically(supply / "capacity", "83\n").ok());
  EXPECT_THAT(Page(SystemRoot(folder.path()), "x86_64"),
              HasSubstr(",char_node_plugged_battery=\"true\"} 83\n"));
}

TEST_F(CharacterizationTest, SplitsTheNameOfAnOperatingSystem) {
  EXPECT_EQ(SplitOsName("Debian GNU/Linux 12 (bookworm)").name,
            "Debian GNU/Linux");
  EXPECT_EQ(SplitOsName("Debian GNU/Linux 12 (bookworm)").version,
            "12 (bookworm)");
  EXPECT_EQ(SplitOsName("Arch Linux").name, "Arch Linux");
  EXPECT_EQ(SplitOsName("").version, "");
}

TEST(DeviceIdentityTest, TheUuidIsStableAndOfVersion8) {
  std::string uuid = MakeUuid("0123456789abcdef");
  EXPECT_EQ(uuid, MakeUuid("0123456789abcdef"));
  EXPECT_NE(uuid, MakeUuid("0123456789abcdee"));
  ASSERT_EQ(uuid.size(), 36u);
  EXPECT_EQ(uuid[14], '8');
  EXPECT_NE(std::string("89ab").find(uuid[19]), std::string::npos);
}

// A machine with nothing but what the test sets.
class CharacterizedFactsTest : public testing::Test {
 protected:
  std::string Page() {
    CharacterizationCollector collector(identity_, location_, root_, clock_);
    return CollectPage(collector);
  }

  ScratchFolder folder_ = *ScratchFolder::Create();
  SystemRoot root_{folder_.path()};
  FakeClock clock_;
  DeviceIdentity identity_{.node = "edge-1"};
  NodeLocation location_;
};

TEST_F(CharacterizedFactsTest, WhatIsUnknownIsExportedAsZero) {
  const std::string page = Page();
  EXPECT_THAT(page, HasSubstr("char_node_device_model_name=\"\"} 0\n"));
  EXPECT_THAT(page, HasSubstr("char_node_os_version=\"\"} 0\n"));
  EXPECT_THAT(page, HasSubstr("char_node_gpu_type=\"not available GPU\","
                              "char_node_gpu_id=\"\"} 0\n"));
  EXPECT_THAT(page, testing::Not(HasSubstr("\nchar_node_cpu_energy_watt{")));
}

TEST_F(CharacterizedFactsTest, AKnownOperatingSystemIsExportedAsOne) {
  identity_.facts.os = "Debian GNU/Linux 12 (bookworm)";
  EXPECT_THAT(Page(), HasSubstr("char_node_os_name=\"Debian GNU/Linux\",char_"
                                "node_os_version=\"12 (bookworm)\"} 1\n"));
}

TEST_F(CharacterizedFactsTest, TellsIntegratedFromDedicatedGpus) {
  identity_.facts.gpus = {"NVIDIA A2", "Intel UHD"};
  const std::string page = Page();
  EXPECT_THAT(page,
              HasSubstr("char_node_gpu_model=\"NVIDIA A2\",char_node_gpu_type="
                        "\"Dedicated graphics processing\","
                        "char_node_gpu_id=\"0\"} 1\n"));
  EXPECT_THAT(page,
              HasSubstr("char_node_gpu_model=\"Intel UHD\",char_node_gpu_type="
                        "\"Integrated graphics processing\","
                        "char_node_gpu_id=\"1\"} 1\n"));
  EXPECT_THAT(page, testing::Not(HasSubstr("=\"not available GPU")));
}

TEST_F(CharacterizedFactsTest, TheMainframeHas64Bits) {
  identity_.facts.architecture = "s390x";
  EXPECT_THAT(Page(), HasSubstr("char_node_bits=\"64\""));
}

TEST_F(CharacterizedFactsTest, FailsIfTheDiskCannotBeRead) {
  CharacterizationCollector collector(identity_, location_, root_, clock_);
  std::filesystem::remove_all(folder_.path());
  MetricBatch batch;
  Status done = collector.Collect(batch);
  ASSERT_FALSE(done.ok());
  EXPECT_EQ(done.error().message(), "read the size of /: statvfs failed");
}

TEST_F(CharacterizationTest, ExportsTheRailOfTheProcessor) {
  // VDD_CPU_GPU_CV: 4.976 V, 0.112 A.
  EXPECT_THAT(Page(RecordedMachine("jetson-orin"), "aarch64"),
              HasSubstr("char_node_bits=\"64\"} 0.55731"));
}

TEST_F(CharacterizationTest, ExportsTheWholeBoardWithoutARailOfTheProcessor) {
  ScratchFolder folder = *ScratchFolder::Create();
  std::filesystem::copy(std::string(METE_FIXTURES) + "/root/jetson-orin",
                        folder.path(),
                        std::filesystem::copy_options::recursive);
  const auto chip = folder.path() / "sys/class/hwmon/hwmon3";
  ASSERT_TRUE(WriteFileAtomically(chip / "in1_label", "VDD_SOC\n").ok());
  ASSERT_TRUE(WriteFileAtomically(chip / "in2_label", "VDD_IN\n").ok());
  EXPECT_THAT(Page(SystemRoot(folder.path()), "aarch64"),
              HasSubstr("char_node_bits=\"64\"} 0.55731"));
}

TEST_F(CharacterizationTest, ExportsTheMeanPowerOfThePackages) {
  ScratchFolder folder = *ScratchFolder::Create();
  std::filesystem::copy(std::string(METE_FIXTURES) + "/root/x86", folder.path(),
                        std::filesystem::copy_options::recursive);
  SystemRoot root(folder.path());
  // In place, as the kernel does: the files stay open.
  auto put = [&](const char* package, const char* core) {
    std::ofstream(root.Locate("/sys/class/powercap/intel-rapl:0/energy_uj"))
        << package;
    std::ofstream(root.Locate("/sys/class/powercap/intel-rapl:0:0/energy_uj"))
        << core;
  };
  put("5000000\n", "1000000\n");
  CharacterizationCollector collector(ReadIdentity(root), {}, root, clock_);
  const std::string series = "\nchar_node_cpu_energy_watt{";
  EXPECT_THAT(CollectPage(collector), testing::Not(HasSubstr(series)));
  put("7500000\n", "3000000\n");
  clock_.Advance(std::chrono::seconds(5));
  EXPECT_THAT(CollectPage(collector),
              HasSubstr("char_node_bits=\"64\"} 0.5\n"));
  // No time has passed.
  EXPECT_THAT(CollectPage(collector), testing::Not(HasSubstr(series)));
}

TEST(ParseLocationTest, DegreesHaveBounds) {
  for (const char* fine : {"latitude=90", "latitude=-90", "longitude=180",
                           "longitude=-180", "latitude=0"}) {
    EXPECT_TRUE(ParseLocation(fine).ok()) << fine;
  }
  EXPECT_EQ(ParseLocation("latitude=90.5").error().message(),
            "latitude=90.5 is not between -90 and 90");
  EXPECT_EQ(ParseLocation("longitude=-180.5").error().message(),
            "longitude=-180.5 is not between -180 and 180");
}

TEST(ParseLocationTest, RefusesWhatHasNoKey) {
  EXPECT_FALSE(ParseLocation("=Athens").ok());
  EXPECT_FALSE(ParseLocation("city").ok());
}

TEST(SplitOsNameTest, ANameThatStartsWithADigitHasNoVersion) {
  EXPECT_EQ(SplitOsName("9front").name, "9front");
  EXPECT_EQ(SplitOsName("9front").version, "");
}

TEST(DeviceIdentityTest, TheUuidOfADeviceNeverChanges) {
  EXPECT_EQ(MakeUuid("0123456789abcdef"),
            "e32963a0-c1ae-8199-a4ad-b39eca51b78b");
}

}  // namespace
}  // namespace mete
