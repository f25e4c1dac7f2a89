#include "measure/sample_csv.h"

#include <gtest/gtest.h>

namespace mete {
namespace {

TEST(SamplesCsv, TellsCoresBetweenSamplesAndLeavesTheUnreadableEmpty) {
  std::vector<UsageSample> samples = {
      {.at = Seconds(0.5),
       .usage = {.cpu = Seconds(0.25), .memory = Mebibytes(1)},
       .machine = {.core_busy = {Seconds(10), Seconds(20)}}},
      {.at = Seconds(1.0),
       .usage = {.cpu = Seconds(1.25)},
       .machine = {.core_busy = {Seconds(10.25), Seconds(20.5)},
                   .energy_joules = 7.5}}};
  std::string csv = SamplesCsv(samples);
  EXPECT_EQ(csv.substr(csv.find('\n') + 1),
            "0.500000,0.250000,0.5000,,1048576,,,,,,,,,,,,,,,,,,\n"
            "1.000000,1.250000,2.0000,,,,,,,,,1.5000,,,,,,,,,,,7.5\n");
}

}  // namespace
}  // namespace mete
