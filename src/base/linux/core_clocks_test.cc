#include "linux/core_clocks.h"

#include <gtest/gtest.h>

#include "linux/test_machines.h"

namespace mete {
namespace {

class CoreClocks : public EmptyMachine {
 protected:
  void PutFrequency(const std::string& core, const std::string& khz) {
    Put("/sys/devices/system/cpu/" + core + "/cpufreq/scaling_cur_freq", khz);
  }
};

TEST_F(CoreClocks, ReportTheFrequencyOfEveryCoreInOrder) {
  for (const char* core : {"cpu0", "cpu2", "cpu10"}) {
    PutFrequency(core, "1497600\n");
  }
  Put("/sys/devices/system/cpu/cpufreq/scaling_cur_freq", "1\n");
  auto clocks = FindCoreClocks(root);
  auto frequencies = ReadFrequencies(clocks);
  ASSERT_EQ(frequencies.size(), 3u);
  EXPECT_EQ(frequencies[1].core, 2);
  EXPECT_EQ(frequencies[2].core, 10);
  EXPECT_EQ(frequencies[2].hz, 1.4976e9);
}

TEST_F(CoreClocks, OmitACoreWithoutAFrequency) {
  PutFrequency("cpu0", "1497600\n");
  PutFrequency("cpu1", "<unknown>\n");
  auto clocks = FindCoreClocks(root);
  EXPECT_EQ(ReadFrequencies(clocks).size(), 1u);
}

TEST_F(CoreClocks, AreThoseThatHaveAFile) {
  PutFrequency("cpu0", "1497600\n");
  Put("/sys/devices/system/cpu/cpu1/online", "0\n");
  EXPECT_EQ(FindCoreClocks(root).size(), 1u);
}

TEST_F(CoreClocks, OfACoreThatStandsStillAreOmitted) {
  PutFrequency("cpu0", "0\n");
  PutFrequency("cpu1", "1\n");
  auto clocks = FindCoreClocks(root);
  auto frequencies = ReadFrequencies(clocks);
  ASSERT_EQ(frequencies.size(), 1u);
  EXPECT_EQ(frequencies[0].hz, 1000);
}

}  // namespace
}  // namespace mete
