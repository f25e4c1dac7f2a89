#include "predict/seen_devices.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/fakes/fake_predictor.h"

namespace mete {
namespace {

using testing::HasSubstr;

TEST(SeenDevices, AsksTheBundledPredictorAboutDevicesTrainingNeverSaw) {
  SeenDevices both(std::make_shared<FakePredictor>(0.1, 1),
                   std::make_shared<FakePredictor>(0.1, 3), {"desk"});
  ClusterNode pi{.name = "pi", .facts = {.cores = 1}};
  ClusterNode desk{.name = "desk", .facts = {.cores = 1}};
  NetworkQuestion question{.counts = {.total_parameters = 1e9}};
  const std::vector<const ClusterNode*> nodes = {&pi, &desk};
  auto estimates = both.Predict(question, nodes, Detail::kWords);
  ASSERT_EQ(estimates.size(), 2u);
  EXPECT_DOUBLE_EQ(estimates[0].value, 3);
  EXPECT_DOUBLE_EQ(estimates[1].value, 1);
  EXPECT_THAT(estimates[0].assumption,
              HasSubstr("training had no runs of this device"));
  EXPECT_EQ(estimates[1].assumption, "");
}

}  // namespace
}  // namespace mete
