#include "learn/transfer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "support/random.h"

namespace mete {
namespace {

constexpr size_t kItems = 60;

std::vector<double> Noise(uint64_t seed) {
  Random random(seed);
  std::vector<double> values;
  for (size_t i = 0; i < kItems; ++i) values.push_back(random.Normal());
  return values;
}

Points MakeColumn(const std::vector<double>& values) {
  Points rows;
  for (double value : values) rows.push_back({value});
  return rows;
}

std::vector<Observation> Observe(const std::vector<double>& truth,
                                 std::initializer_list<size_t> items) {
  std::vector<Observation> observations;
  for (size_t item : items) observations.push_back({item, truth[item]});
  return observations;
}

double WorstError(const std::vector<GaussianEstimate>& estimates,
                  const std::vector<double>& truth) {
  double worst = 0;
  for (size_t i = 0; i < truth.size(); ++i) {
    worst = std::max(worst, std::abs(estimates[i].mean - truth[i]));
  }
  return worst;
}

TEST(EstimateItems, FindsTheSourceTheTargetFollows) {
  TransferPrior prior{.weights = {{.noise = 1e-3}, {.noise = 0.1}}};
  for (uint64_t source = 0; source < 6; ++source) {
    prior.carriers.push_back({.values = Noise(source), .slope = 1});
  }
  std::vector<double> truth;
  for (double value : prior.carriers[4].values) truth.push_back(3 + value);
  auto estimates = EstimateItems(prior, Observe(truth, {1, 5, 9, 30, 44}));
  ASSERT_TRUE(estimates.ok()) << estimates.error().message();
  EXPECT_LT(WorstError(*estimates, truth), 0.05);
}

TEST(EstimateItems, LearnsWhatSimilarItemsShareBeyondTheSource) {
  std::vector<double> source = Noise(1);
  std::vector<double> kind;
  std::vector<double> truth;
  for (size_t i = 0; i < kItems; ++i) {
    kind.push_back(i % 2 == 0 ? 1 : -1);
    truth.push_back(source[i] + 0.8 * kind[i]);
  }
  TransferPrior prior{.blocks = {{.values = MakeColumn(kind)}},
                      .carriers = {{source, 1, 0.01}},
                      .weights = {{{1.0}, 1e-3}}};
  auto estimates = EstimateItems(prior, Observe(truth, {0, 1, 2, 3}));
  ASSERT_TRUE(estimates.ok());
  EXPECT_LT(WorstError(*estimates, truth), 0.05);
  prior.weights = {{{0.0}, 1e-3}};
  EXPECT_GT(
      WorstError(*EstimateItems(prior, Observe(truth, {0, 1, 2, 3})), truth),
      0.5);
}

TEST(EstimateItems, IsMoreCertainOfObservedAndSimilarItems) {
  TransferPrior prior{.blocks = {{.shape = CovarianceBlock::Shape::kRbf,
                                  .values = {{0.0}, {0.1}, {5.0}}}},
                      .weights = {{{1.0}, 1e-4}}};
  auto estimates = EstimateItems(prior, {{{.item = 0, .value = 2}}});
  ASSERT_TRUE(estimates.ok());
  EXPECT_LT((*estimates)[0].variance, 0.01);
  EXPECT_LT((*estimates)[1].variance, 0.05);
  EXPECT_GT((*estimates)[2].variance, 0.5);
}

TEST(EstimateItems, UsesTheLevelOfASingleObservation) {
  TransferPrior prior{.blocks = {{.values = MakeColumn(Noise(3))}},
                      .weights = {{{1e-6}, 1e-2}}};
  auto estimates = EstimateItems(prior, {{{.item = 7, .value = 2.5}}});
  ASSERT_TRUE(estimates.ok());
  EXPECT_NEAR((*estimates)[20].mean, 2.5, 1e-3);
}

TEST(EstimateItems, RejectsAnInconsistentPrior) {
  TransferPrior prior{.blocks = {{.values = {{1.0}, {2.0}}}},
                      .weights = {{{1.0}, 0.1}}};
  EXPECT_FALSE(EstimateItems(prior, {}).ok());
  EXPECT_FALSE(EstimateItems(prior, {{{.item = 2, .value = 1}}}).ok());
  prior.carriers = {{.values = {1.0}}};
  EXPECT_FALSE(EstimateItems(prior, {{{.item = 0, .value = 1}}}).ok());
  prior.carriers.clear();
  prior.weights = {{{1.0, 1.0}, 0.1}};
  EXPECT_FALSE(EstimateItems(prior, {{{.item = 0, .value = 1}}}).ok());
}

TEST(ChooseItems, TakesTheEndsOfALineFirst) {
  TransferPrior prior{.blocks = {{.values = {{-2.0}, {-1.0}, {0.0}, {2.1}}}},
                      .weights = {{{1.0}, 0.1}},
                      .level_variance = 1e-3};
  std::vector<size_t> all = {0, 1, 2, 3};
  std::vector<size_t> chosen =
      ChooseItems(prior, {.candidates = all,
                          .count = 1,
                          .criterion = Criterion::kWidest,
                          .weights = prior.weights[0]});
  EXPECT_EQ(chosen, std::vector<size_t>{3});
}

TEST(ChooseItems, PrefersAnItemThatRepresentsItsNeighbours) {
  // A cluster around 0, with item 2 in the middle, and one item far away.
  TransferPrior prior{
      .blocks = {{.shape = CovarianceBlock::Shape::kRbf,
                  .values = {{-0.6}, {-0.3}, {0.0}, {0.3}, {0.6}, {9.0}}}},
      .weights = {{{1.0}, 0.1}},
      .level_variance = 0};
  std::vector<size_t> all = {0, 1, 2, 3, 4, 5};
  ChoiceRequest request{
      .candidates = all, .count = 2, .weights = prior.weights[0]};
  EXPECT_EQ(ChooseItems(prior, request), (std::vector<size_t>{2, 5}));
}

TEST(ChooseItems, NeverTakesAnItemTwiceOrMoreThanExist) {
  TransferPrior prior{.blocks = {{.values = MakeColumn(Noise(5))}},
                      .carriers = {{.values = Noise(6)}},
                      .weights = {{{1.0}, 0.1}}};
  std::vector<size_t> candidates = {3, 8, 11, 40};
  for (Criterion criterion :
       {Criterion::kWidest, Criterion::kMostInformative}) {
    std::vector<size_t> chosen =
        ChooseItems(prior, {.candidates = candidates,
                            .count = 9,
                            .criterion = criterion,
                            .weights = prior.weights[0]});
    EXPECT_EQ(std::set<size_t>(chosen.begin(), chosen.end()),
              std::set<size_t>(candidates.begin(), candidates.end()));
    EXPECT_EQ(chosen.size(), candidates.size());
  }
}

// Two blocks, two carriers and two sets of weights for four items.
TransferPrior SmallPrior() {
  return {.blocks = {{.values = {{0.5, -1}, {1, 0}, {-1, 2}, {0, 1}}},
                     {.shape = CovarianceBlock::Shape::kRbf,
                      .values = {{0.0}, {1.0}, {2.0}, {0.5}},
                      .length = 0.7}},
          .carriers = {{.values = {1, 2, 0, -1},
                        .slope = 1,
                        .slope_variance = 0.2,
                        .prior = 1},
                       {.values = {0, 1, 3, 1},
                        .slope = 0.5,
                        .slope_variance = 0.1,
                        .prior = 2}},
          .weights = {{{0.4, 0.6}, 0.05}, {{0.1, 0.9}, 0.2}},
          .level_variance = 0.5,
          .temper = 0.7};
}

// Evaluated from the model in the header by another program.
TEST(EstimateItems, FollowsTheModel) {
  const std::vector<Observation> observed = {{0, 1.2}, {1, 2.5}, {2, 0.3}};
  auto estimates = EstimateItems(SmallPrior(), observed);
  ASSERT_TRUE(estimates.ok());
  const std::vector<double> means = {1.2387719199, 2.4311478512, 0.3542130038,
                                     -0.1338423400};
  const std::vector<double> variances = {0.1059050483, 0.1135440258,
                                         0.1203590797, 1.8507598056};
  ASSERT_EQ(estimates->size(), means.size());
  for (size_t i = 0; i < means.size(); ++i) {
    EXPECT_NEAR((*estimates)[i].mean, means[i], 1e-9) << "item " << i;
    EXPECT_NEAR((*estimates)[i].variance, variances[i], 1e-9) << "item " << i;
  }
}

TEST(EstimateItems, RejectsAPriorWithoutItemsOrWeights) {
  EXPECT_FALSE(EstimateItems({.weights = {{}}}, {{{.item = 0}}}).ok());
  TransferPrior prior = SmallPrior();
  prior.weights.clear();
  EXPECT_FALSE(EstimateItems(prior, {{{.item = 0}}}).ok());
}

TEST(EstimateItems, RejectsASecondBlockWithOtherItems) {
  TransferPrior prior = SmallPrior();
  prior.blocks[1].values.pop_back();
  EXPECT_FALSE(EstimateItems(prior, {{{.item = 0}}}).ok());
}

// The orders that the criteria imply for the covariance of the prior.
TEST(ChooseItems, FollowsTheCovarianceOfThePrior) {
  const TransferPrior prior = SmallPrior();
  const std::vector<size_t> all = {0, 1, 2, 3};
  const std::vector<size_t> some = {3, 1, 0};
  auto choose = [&](const std::vector<size_t>& candidates,
                    Criterion criterion) {
    return ChooseItems(prior, {.candidates = candidates,
                               .count = candidates.size(),
                               .criterion = criterion,
                               .weights = prior.weights[0]});
  };
  EXPECT_EQ(choose(all, Criterion::kWidest), (std::vector<size_t>{2, 0, 1, 3}));
  EXPECT_EQ(choose(some, Criterion::kWidest), (std::vector<size_t>{0, 3, 1}));
  EXPECT_EQ(choose(all, Criterion::kMostInformative),
            (std::vector<size_t>{3, 2, 1, 0}));
  EXPECT_EQ(choose(some, Criterion::kMostInformative),
            (std::vector<size_t>{1, 3, 0}));
}

TEST(EstimateItems, MembersOfNegligibleWeightHaveNoInfluence) {
  TransferPrior prior = SmallPrior();
  prior.carriers.resize(1);
  prior.weights.resize(1);
  const std::vector<Observation> observed = {{0, 1.2}, {1, 2.5}, {2, 0.3}};
  auto alone = EstimateItems(prior, observed);
  // The same process with another level, a hundred thousand times less likely.
  prior.carriers.push_back(prior.carriers[0]);
  prior.carriers[1].values = {1, 2, 0, 5};
  prior.carriers[1].prior = 1e-5;
  auto both = EstimateItems(prior, observed);
  ASSERT_TRUE(alone.ok() && both.ok());
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ((*both)[i].mean, (*alone)[i].mean) << "item " << i;
  }
}

TEST(EstimateItems, WeightsThatFitNoProcessAreLeftOut) {
  TransferPrior prior = SmallPrior();
  prior.weights.resize(1);
  const std::vector<Observation> observed = {{0, 1.2}, {1, 2.5}, {2, 0.3}};
  auto alone = EstimateItems(prior, observed);
  prior.weights.push_back({{0.4, 0.6}, -9});
  auto both = EstimateItems(prior, observed);
  ASSERT_TRUE(alone.ok() && both.ok());
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ((*both)[i].mean, (*alone)[i].mean) << "item " << i;
    EXPECT_EQ((*both)[i].variance, (*alone)[i].variance) << "item " << i;
  }
}

}  // namespace
}  // namespace mete
