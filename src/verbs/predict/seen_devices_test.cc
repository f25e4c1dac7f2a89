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

TEST(SeenDevices, ComparesNoDevicesOfTwoPredictors) {
  // Each has ratios for its own devices.
  class WithRatio final : public LatencyPredictor {
   public:
    std::vector<Estimate> Predict(const NetworkQuestion&,
                                  std::span<const ClusterNode* const> nodes,
                                  Detail) const override {
      return std::vector<Estimate>(
          nodes.size(),
          {.value = 1, .ratio_radius = 0.1, .assumption = "guessed"});
    }
    const std::string& origin() const override { return origin_; }

   private:
    std::string origin_;
  };
  SeenDevices both(std::make_shared<WithRatio>(), std::make_shared<WithRatio>(),
                   {"desk"});
  ClusterNode pi{.name = "pi"};
  ClusterNode desk{.name = "desk"};
  auto ask = [&](std::vector<const ClusterNode*> nodes, Detail detail) {
    return both.Predict({}, nodes, detail);
  };
  for (const Estimate& one : ask({&pi, &desk}, Detail::kWords)) {
    EXPECT_FALSE(one.ratio_radius);
  }
  EXPECT_TRUE(ask({&desk}, Detail::kWords)[0].ratio_radius);
  EXPECT_TRUE(ask({&pi}, Detail::kWords)[0].ratio_radius);
  EXPECT_EQ(ask({&pi}, Detail::kWords)[0].assumption,
            "guessed; training had no runs of this device; the bundled "
            "predictor is used");
  EXPECT_EQ(ask({&pi}, Detail::kNumbers)[0].assumption, "guessed");
}

}  // namespace
}  // namespace mete
