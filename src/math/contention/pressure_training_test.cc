#include "contention/pressure_training.h"

#include <gtest/gtest.h>

#include <cmath>

#include "contention/test_simulation.h"
#include "support/json.h"

namespace mete {
namespace {

std::vector<MeasuredMix> SmallCampaign() {
  return GroupByMix(Simulate({.random_mixes = 24, .window_s = 3}));
}

PressureTrainingRequest QuickTraining() {
  return {.pressures = {1}, .folds = 2, .steps = 60};
}

// Compares the gradient with differences of the loss.
void ExpectGradientIsSlope(std::span<const MeasuredMix> mixes,
                           bool only_where_pulled) {
  PressureTrainingSet set(mixes, ApplicationsIn(mixes));
  PressureParameters shape({.applications = set.applications().size(),
                            .pressures = 2,
                            .pieces = 2,
                            .cores = 2});
  Random random(4);
  std::vector<double> parameters;
  for (const ParameterPrior& prior : shape.priors()) {
    parameters.push_back(prior.centre + 0.3 * random.Normal());
  }
  std::vector<double> gradient;
  std::vector<double> unused;
  set.Loss(shape, parameters, gradient);
  size_t compared = 0;
  for (size_t i = 0; i < parameters.size(); ++i) {
    const ParameterPrior& prior = shape.priors()[i];
    const double by_prior =
        (parameters[i] - prior.centre) / prior.deviation / prior.deviation;
    if (only_where_pulled && gradient[i] == by_prior) continue;
    constexpr double kStep = 1e-5;
    std::vector<double> moved = parameters;
    moved[i] += kStep;
    const double above = set.Loss(shape, moved, unused);
    moved[i] -= 2 * kStep;
    const double below = set.Loss(shape, moved, unused);
    const double slope = (above - below) / (2 * kStep);
    EXPECT_NEAR(gradient[i], slope, 2e-3 * (1 + std::abs(slope))) << i;
    ++compared;
  }
  EXPECT_GT(compared, 50u);
}

TEST(PressureTraining, TheGradientIsTheSlopeOfTheLossOfServiceTimes) {
  std::vector<MeasuredMix> mixes = SmallCampaign();
  for (MeasuredMix& mix : mixes) {
    for (MixObservation& row : mix.rows) row.sojourn = {};
  }
  ExpectGradientIsSlope(mixes, false);
}

// Sojourn times do not pull on the parameters of service times.
TEST(PressureTraining, TheGradientIsTheSlopeOfTheLossOfSojournTimes) {
  std::vector<MeasuredMix> mixes = SmallCampaign();
  for (MeasuredMix& mix : mixes) {
    for (MixObservation& row : mix.rows) row.service = {};
  }
  ExpectGradientIsSlope(mixes, true);
}

TEST(PressureTraining, TheSameSeedGivesTheSamePredictor) {
  std::vector<MeasuredMix> mixes = SmallCampaign();
  auto one = TrainPressures(mixes, QuickTraining());
  auto two = TrainPressures(mixes, QuickTraining());
  ASSERT_TRUE(one.ok()) << one.error().message();
  EXPECT_EQ(one->ToJson(), two->ToJson());
}

TEST(PressureTraining, LearnsTheTimesOfASimulatedDevice) {
  std::vector<MeasuredMix> mixes = GroupByMix(Simulate({}));
  MixSplit split = HoldOut(mixes, {});
  auto predictor =
      TrainPressures(split.train, {.pressures = {2}, .folds = 3, .steps = 400});
  ASSERT_TRUE(predictor.ok()) << predictor.error().message();
  std::vector<double> errors;
  for (const MeasuredMix& mix : split.test) {
    auto times = predictor->Predict(mix.Tenants());
    ASSERT_TRUE(times.ok());
    for (size_t i = 0; i < mix.rows.size(); ++i) {
      if (mix.rows[i].saturated) continue;
      double measured = *MeasuredTime(mix.rows[i], {});
      errors.push_back(
          std::abs((*times)[i].Get({})->time.count() / measured - 1));
    }
  }
  // The same mixes with other arrivals differ by 0.03.
  EXPECT_LT(*Quantile(errors, 0.5), 0.13);
}

TEST(PressureTraining, NotesTheLargestSlowdownThatWasKeptUpWith) {
  std::vector<MeasuredMix> mixes = SmallCampaign();
  const auto alone = FindTimesAlone(mixes);
  double largest = 1;
  for (const MeasuredMix& mix : mixes) {
    for (const MixObservation& row : mix.rows) {
      if (row.saturated) continue;
      largest =
          std::max(largest, *MeasuredTime(row, {}) /
                                *alone.at(row.tenant.application)[IndexOf({})]);
    }
  }
  ASSERT_GT(largest, 1.5);
  auto predictor = TrainPressures(mixes, QuickTraining());
  EXPECT_EQ(predictor->parts().network.largest_slowdown, largest);
}

TEST(PressureTraining, TooFewMixesAreAnError) {
  std::vector<MeasuredMix> mixes =
      GroupByMix(Simulate({.random_mixes = 3, .window_s = 1}));
  auto predictor = TrainPressures(mixes, QuickTraining());
  ASSERT_FALSE(predictor.ok());
  EXPECT_EQ(predictor.error().message(),
            "training needs at least 6 random or active mixes, found 3; "
            "measure more with mete contend random");
}

TEST(PressureTraining, StopsBetweenFits) {
  std::vector<MeasuredMix> mixes = SmallCampaign();
  std::stop_source source;
  size_t fits = 0;
  auto predictor = TrainPressures(
      mixes, QuickTraining(),
      [&](size_t, size_t) {
        ++fits;
        source.request_stop();
      },
      source.get_token());
  ASSERT_FALSE(predictor.ok());
  EXPECT_EQ(predictor.error().code(), ErrorCode::kInterrupted);
  EXPECT_EQ(fits, 1u);
}

}  // namespace
}  // namespace mete
