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

}  // namespace
}  // namespace mete
