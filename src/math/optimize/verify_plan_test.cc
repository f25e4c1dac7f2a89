#include "optimize/verify_plan.h"

#include <gtest/gtest.h>

namespace mete {
namespace {

ItemOnType OnType(double use, double pressure, double bound) {
  return {.use = {use},
          .pressure = {pressure},
          .rows = {{.weights = {1}, .bound = bound}}};
}

// Two bins of capacity 4; an item of two copies and one that tolerates a
// pressure of 2.
PackingProblem TwoBins() {
  return {.resources = 1,
          .pressures = 1,
          .types = {{.count = 2, .capacity = {4}}},
          .items = {{.value = 1, .copies = 2, .on = {OnType(1, 1, 9)}},
                    {.value = 1, .on = {OnType(3, 1, 2)}}}};
}

std::vector<ViolationKind> KindsOf(const PackingProblem& problem,
                                   const PackingPlan& plan) {
  std::vector<ViolationKind> kinds;
  for (const Violation& violation : VerifyPlan(problem, plan)) {
    EXPECT_FALSE(violation.text.empty());
    kinds.push_back(violation.kind);
  }
  return kinds;
}

using enum ViolationKind;
using Kinds = std::vector<ViolationKind>;

TEST(VerifyPlan, AcceptsAPlanThatKeepsAllRules) {
  PackingPlan plan{{{.number = 0, .contents = {{0, 1}, {1, 1}}},
                    {.number = 1, .contents = {{0, 1}}}}};
  EXPECT_EQ(KindsOf(TwoBins(), plan), Kinds{});
}

TEST(VerifyPlan, FindsExceededCapacitiesAndRows) {
  PackingPlan plan{{{.contents = {{0, 2}, {1, 1}}}}};
  EXPECT_EQ(KindsOf(TwoBins(), plan), (Kinds{kCapacity, kPressure}));
}

TEST(VerifyPlan, FindsItemsThatArePlacedInPart) {
  PackingPlan plan{{{.contents = {{0, 1}}}}};
  EXPECT_EQ(KindsOf(TwoBins(), plan), Kinds{kPartlyPlaced});
}

TEST(VerifyPlan, FindsBinsAndItemsThatDoNotExist) {
  EXPECT_EQ(KindsOf(TwoBins(), {{{.number = 2}}}), Kinds{kUnknownBin});
  EXPECT_EQ(KindsOf(TwoBins(), {{{.type = 1}}}), Kinds{kUnknownBin});
  EXPECT_EQ(KindsOf(TwoBins(), {{{.contents = {{7, 1}}}}}), Kinds{kUnknownBin});
  EXPECT_EQ(KindsOf(TwoBins(), {{{.number = 1}, {.number = 1}}}),
            Kinds{kUnknownBin});
}

TEST(VerifyPlan, FindsExcludedItems) {
  PackingProblem problem = TwoBins();
  problem.items[1].on[0].reset();
  EXPECT_EQ(KindsOf(problem, {{{.contents = {{1, 1}}}}}), Kinds{kExcluded});
}

TEST(VerifyPlan, FindsSplitItemsAndTooManyCopies) {
  PackingProblem problem = TwoBins();
  problem.items[0].splits = false;
  PackingPlan split{
      {{.contents = {{0, 1}}}, {.number = 1, .contents = {{0, 1}}}}};
  EXPECT_EQ(KindsOf(problem, split), Kinds{kSplit});
  problem.items[0].most_per_bin = 1;
  EXPECT_EQ(KindsOf(problem, {{{.contents = {{0, 2}}}}}),
            Kinds{kTooManyCopies});
}

TEST(VerifyPlan, FindsItemsOfAGroupInOneBin) {
  PackingProblem problem = TwoBins();
  problem.items[0].copies = 1;
  problem.items[0].groups = {3, 5};
  problem.items[1].groups = {5};
  EXPECT_EQ(KindsOf(problem, {{{.contents = {{0, 1}, {1, 1}}}}}),
            Kinds{kGroup});
}

// Allows no bin with both items.
class NoCompany final : public ContentOracle {
 public:
  bool Allows(size_t, std::span<const Copies> contents) const override {
    return contents.size() < 2;
  }
  bool monotone() const override { return true; }
};

TEST(VerifyPlan, AsksTheOracle) {
  NoCompany oracle;
  PackingProblem problem = TwoBins();
  problem.items[0].copies = 1;
  problem.oracle = &oracle;
  EXPECT_EQ(KindsOf(problem, {{{.contents = {{0, 1}, {1, 1}}}}}),
            Kinds{kOracle});
}

TEST(VerifyPlan, ToleratesRoundingErrors) {
  PackingProblem problem{
      .resources = 1,
      .types = {{.count = 1, .capacity = {0.3}}},
      .items = {{.copies = 3, .on = {ItemOnType{.use = {0.1}}}}}};
  EXPECT_EQ(KindsOf(problem, {{{.contents = {{0, 3}}}}}), Kinds{});
}

}  // namespace
}  // namespace mete
