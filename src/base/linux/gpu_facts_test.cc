#include "linux/gpu_facts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "linux/test_machines.h"

namespace mete {
namespace {

using testing::ElementsAre;

TEST(GpuFacts, NameCardsByTheDriverOrElseByPciIds) {
  EXPECT_THAT(ReadGpus(Recorded("x86")),
              ElementsAre("Intel GPU 8086:5912", "NVIDIA GeForce RTX 3090"));
}

TEST(GpuFacts, FindTheIntegratedGpuOfARaspberryPi) {
  EXPECT_THAT(ReadGpus(Recorded("pi4")), ElementsAre("Broadcom VideoCore VI"));
}

TEST(GpuFacts, FindTheIntegratedGpuOfAJetson) {
  EXPECT_THAT(ReadGpus(Recorded("jetson-nano")),
              ElementsAre("NVIDIA GM20B (Tegra X1)"));
}

TEST(GpuFacts, OmitTheConsoleOfAServer) {
  ScratchFolder folder = *ScratchFolder::Create();
  SystemRoot root(folder.path());
  auto card = root.Locate("/sys/bus/pci/devices/0000:04:00.0");
  std::filesystem::create_directories(card);
  ASSERT_TRUE(WriteFileAtomically(card / "class", "0x030000\n").ok());
  ASSERT_TRUE(WriteFileAtomically(card / "vendor", "0x1a03\n").ok());
  ASSERT_TRUE(WriteFileAtomically(card / "device", "0x2000\n").ok());
  EXPECT_TRUE(ReadGpus(root).empty());
}

TEST(GpuFacts, OmitANodeTheBoardDisabled) {
  ScratchFolder folder = *ScratchFolder::Create();
  SystemRoot root(folder.path());
  auto node = root.Locate("/proc/device-tree/gpu@ff9a0000");
  std::filesystem::create_directories(node);
  ASSERT_TRUE(WriteFileAtomically(node / "compatible", "arm,mali-t860").ok());
  ASSERT_TRUE(WriteFileAtomically(node / "status", "disabled").ok());
  EXPECT_TRUE(ReadGpus(root).empty());
}

class GpuFactsOfFiles : public EmptyMachine {};

TEST_F(GpuFactsOfFiles, OfAnUnknownBoardAreItsMostSpecificName) {
  using namespace std::string_literals;
  Put("/proc/device-tree/gpu@1/compatible", "maker,first\0maker,second\0"s);
  EXPECT_THAT(ReadGpus(root), ElementsAre("maker,first"));
}

TEST_F(GpuFactsOfFiles, AreFoundAtBothLevelsOfTheDeviceTree) {
  Put("/proc/device-tree/gpu/compatible", "arm,mali-t860");
  Put("/proc/device-tree/host1x/gpu/compatible", "qcom,adreno");
  Put("/proc/device-tree/soc/v3d@1/compatible", "brcm,2712-v3d");
  Put("/proc/device-tree/soc/gpus/compatible", "arm,mali-t860");
  EXPECT_THAT(ReadGpus(root), ElementsAre("Arm Mali", "Qualcomm Adreno",
                                          "Broadcom VideoCore VII"));
}

TEST_F(GpuFactsOfFiles, ANodeWithoutANameIsNone) {
  Put("/proc/device-tree/gpu@1/status", "okay");
  EXPECT_THAT(ReadGpus(root), testing::IsEmpty());
}

TEST_F(GpuFactsOfFiles, AnIncompletePciDeviceIsNone) {
  const std::string card = "/sys/bus/pci/devices/0000:01:00.0/";
  Put(card + "class", "0x030000\n");
  Put(card + "vendor", "0x1002\n");
  EXPECT_THAT(ReadGpus(root), testing::IsEmpty());
  Put(card + "device", "0x73bf\n");
  EXPECT_THAT(ReadGpus(root), ElementsAre("AMD GPU 1002:73bf"));
  Put(card + "class", "0x020000\n");  // a network card
  EXPECT_THAT(ReadGpus(root), testing::IsEmpty());
  std::filesystem::remove(root.Locate(card + "class"));
  EXPECT_THAT(ReadGpus(root), testing::IsEmpty());
}

}  // namespace
}  // namespace mete
