#include "cli/predict_check.h"

#include <gtest/gtest.h>

namespace mete {
namespace {

TEST(ChecksCsv, SetsWhatWasMeasuredBesideThePrediction) {
  CheckedPrediction inside{.network = "net",
                           .device = "small",
                           .predicted = {.value = 2, .low = 1, .high = 4},
                           .measured = 3,
                           .load = 0.5};
  CheckedPrediction outside = inside;
  outside.measured = 5;
  EXPECT_EQ(ChecksCsv({inside, outside}),
            "network,node,load,seconds,seconds_low,seconds_high,"
            "measured_seconds,in_interval\n"
            "net,small,0.5,2,1,4,3,true\n"
            "net,small,0.5,2,1,4,5,false\n");
}

}  // namespace
}  // namespace mete
