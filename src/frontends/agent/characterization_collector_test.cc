#include "agent/characterization_collector.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace mete
