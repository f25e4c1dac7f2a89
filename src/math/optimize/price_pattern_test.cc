#include "optimize/price_pattern.h"

#include <gtest/gtest.h>

#include "optimize/bin_state.h"
#include "optimize/test_packings.h"
#include "support/random.h"

namespace mete {
namespace {

// The highest profit of all contents of a class, by trying all.
double BestByEnumeration(const PackingTables& tables, size_t bin_class,
                         const std::vector<double>& prices,
                         const std::vector<Feature>& features) {
  double best = 0;
  BinState bin(tables, bin_class);
  auto visit = [&](auto&& self, size_t item, double profit) -> void {
    double bonus = 0;
    for (const Feature& feature : features) {
      if (feature.MetBy(bin.contents())) bonus += feature.bonus;
    }
    if (!bin.empty()) best = std::max(best, profit + bonus - bin.cost());
    if (item == tables.size()) return;
    self(self, item + 1, profit);
    for (int units = 1; units <= tables.table(bin_class).most[item]; ++units) {
      if (!bin.Fits({item, units})) break;
      bin.Add({item, units});
      self(self, item + 1, profit + units * prices[item]);
      bin.Remove({item, units});
    }
  };
  visit(visit, 0, 0);
  return best;
}

TEST(PricePatterns, FindsWhatEnumerationFinds) {
  for (uint64_t seed = 0; seed < 400; ++seed) {
    RandomPacking shape{.items = 3 + seed % 6,
                        .types = 1,
                        .resources = seed % 3,
                        .pressures = 1 + seed % 4,
                        .costs = seed % 2 == 0 ? 0.0 : 0.3,
                        .residents = seed % 5 == 0};
    PackingProblem problem = MakeRandomPacking(shape, seed);
    PackingTables tables(problem);
    Random random(seed);
    std::vector<double> prices;
    for (size_t i = 0; i < problem.items.size(); ++i) {
      prices.push_back(random.Uniform());
    }
    std::vector<Feature> features;
    if (seed % 3 == 0) {
      features = {{.at_least = {{0, 1}, {1, 1}}, .bonus = 0.4},
                  {.at_least = {{1, 1}, {2, 1}}, .bonus = -0.4}};
    }
    for (size_t c = 0; c < tables.classes().size(); ++c) {
      double best = BestByEnumeration(tables, c, prices, features);
      PricingResult result = PricePatterns(
          tables, {.bin_class = c, .prices = prices, .features = features});
      EXPECT_NEAR(result.bound, best, 1e-7) << seed;
      double found = result.best.empty() ? 0 : result.best[0].profit;
      EXPECT_NEAR(found, best, 1e-7) << seed;
      PricingResult brief = PricePatterns(tables, {.bin_class = c,
                                                   .prices = prices,
                                                   .features = features,
                                                   .most_boxes = 1,
                                                   .most_steps = 3});
      EXPECT_GE(brief.bound, best - 1e-7) << seed;
    }
  }
}

// Many light items compete for a resource, few heavy ones for a pressure. Some
// items tolerate little pressure, so contents below their limits are tight in
// the resource, and others in the pressure.
PackingProblem LightAndHeavyItems(uint64_t seed) {
  Random random(seed);
  PackingProblem problem{.resources = 1,
                         .pressures = 2,
                         .types = {{.count = 1, .capacity = {32}}},
                         .items = {}};
  for (size_t i = 0; i < 90; ++i) {
    bool heavy = i % 3 == 0;
    double scale = heavy ? 0.02 + 0.16 * random.Uniform()
                         : 0.002 + 0.01 * random.Uniform();
    ItemOnType on{.use = {heavy ? 1.0 : 0.3},
                  .pressure = {scale, scale * (0.3 + 0.2 * random.Uniform())},
                  .rows = {}};
    double tolerance = heavy ? 1.1 : 0.7 + 0.4 * random.Uniform();
    on.rows.push_back({.weights = {0.9, 1}, .bound = tolerance});
    on.rows.push_back({.weights = {1, 0.5}, .bound = 1.1 * tolerance});
    problem.items.push_back(
        {.value = 1, .copies = heavy ? 4 : 8, .on = {std::move(on)}});
  }
  return problem;
}

TEST(PricePatterns, IsCloseWhereAResourceAndAPressureCompete) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    PackingProblem problem = LightAndHeavyItems(seed);
    PackingTables tables(problem);
    Random random(seed);
    std::vector<double> prices;
    for (size_t i = 0; i < tables.size(); ++i) {
      double worth = tables.table(0).LoadOf(i)[0] / 32 +
                     tables.table(0).pressure[2 * i] / 0.8;
      prices.push_back(20 * worth * (0.8 + 0.4 * random.Uniform()));
    }
    PricingResult result = PricePatterns(
        tables, {.prices = prices, .most_boxes = 64, .most_steps = 20000});
    ASSERT_FALSE(result.best.empty());
    EXPECT_LE(result.bound, 1.015 * result.best[0].profit) << seed;
  }
}

// Many items that are alike are as good as one with many copies.
TEST(PricePatterns, BoundsManyOffersAsTightlyAsFew) {
  constexpr int kTimes = 350;
  for (uint64_t seed = 1; seed <= 2; ++seed) {
    PackingProblem few = MakeRandomPacking({.items = 3,
                                            .types = 1,
                                            .resources = 1,
                                            .pressures = 2,
                                            .groups = 0,
                                            .pins = 0},
                                           seed);
    few.types[0].count = 10000;  // so that all copies have a place
    PackingProblem many = few;
    many.items.clear();
    Random random(seed);
    std::vector<double> few_prices;
    std::vector<double> many_prices;
    for (Item& item : few.items) {
      item.copies = kTimes;
      item.splits = true;
      item.most_per_bin.reset();
      for (double& use : item.on[0]->use) use /= 6;
      for (double& pressure : item.on[0]->pressure) pressure /= 6;
      few_prices.push_back(0.2 + random.Uniform());
      Item one = item;
      one.copies = 1;
      many.items.insert(many.items.end(), kTimes, one);
      many_prices.insert(many_prices.end(), kTimes, few_prices.back());
    }
    PackingTables few_tables(few);
    PackingTables many_tables(many);
    PricingResult best =
        PricePatterns(few_tables, {.bin_class = 0, .prices = few_prices});
    PricingResult result = PricePatterns(many_tables, {.bin_class = 0,
                                                       .prices = many_prices,
                                                       .most_boxes = 16,
                                                       .most_steps = 20000});
    ASSERT_FALSE(best.best.empty()) << seed;
    EXPECT_GE(result.bound, best.best[0].profit * (1 - 1e-9)) << seed;
    EXPECT_LE(result.bound, best.bound * 1.15) << seed;
  }
}

}  // namespace
}  // namespace mete
