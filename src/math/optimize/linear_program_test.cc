#include "optimize/linear_program.h"

#include <gtest/gtest.h>

#include "optimize/integer_program.h"

namespace mete {
namespace {

// max 3x + 2y with x + y <= 4, x + 3y <= 6, x <= 3.
TEST(LinearProgram, FindsTheOptimumAndWhatRowsAreWorth) {
  LinearProgram program = LinearProgram::Create().value();
  std::vector<ProgramRow> rows = {{.upper = 4}, {.upper = 6}};
  program.AddRows(rows);
  std::vector<ProgramColumn> columns = {
      {.objective = 3, .upper = 3, .rows = {{0, 1}, {1, 1}}},
      {.objective = 2, .rows = {{0, 1}, {1, 3}}}};
  program.AddColumns(columns);
  LinearOptimum optimum = program.Maximize(Seconds(10)).value();
  EXPECT_NEAR(optimum.objective, 11, 1e-9);
  EXPECT_NEAR(optimum.values[0], 3, 1e-9);
  EXPECT_NEAR(optimum.values[1], 1, 1e-9);
  EXPECT_NEAR(optimum.prices[0] + optimum.prices[1] * 3, 2, 1e-9);
}

TEST(LinearProgram, ContinuesWithNewColumns) {
  LinearProgram program = LinearProgram::Create().value();
  std::vector<ProgramRow> rows = {{.upper = 2}};
  program.AddRows(rows);
  std::vector<ProgramColumn> first = {{.objective = 1, .rows = {{0, 1}}}};
  program.AddColumns(first);
  EXPECT_NEAR(program.Maximize(Seconds(10)).value().objective, 2, 1e-9);
  std::vector<ProgramColumn> second = {{.objective = 3, .rows = {{0, 1}}}};
  program.AddColumns(second);
  LinearOptimum optimum = program.Maximize(Seconds(10)).value();
  EXPECT_NEAR(optimum.objective, 6, 1e-9);
  EXPECT_NEAR(optimum.prices[0], 3, 1e-9);
}

TEST(LinearProgram, SaysThatRowsContradictEachOther) {
  LinearProgram program = LinearProgram::Create().value();
  std::vector<ProgramRow> rows = {{.lower = 3, .upper = 4}};
  program.AddRows(rows);
  std::vector<ProgramColumn> columns = {{.upper = 1, .rows = {{0, 1}}}};
  program.AddColumns(columns);
  auto optimum = program.Maximize(Seconds(10));
  ASSERT_FALSE(optimum.ok());
  EXPECT_EQ(optimum.error().code(), ErrorCode::kNotFound);
}

// A knapsack whose relaxation is 21.67 and whose optimum is 21.
IntegerProgram SmallKnapsack() {
  IntegerProgram program;
  program.rows = {{.upper = 14}};
  program.columns = {{.objective = 8, .upper = 1, .rows = {{0, 5}}},
                     {.objective = 11, .upper = 1, .rows = {{0, 7}}},
                     {.objective = 6, .upper = 1, .rows = {{0, 4}}},
                     {.objective = 4, .upper = 1, .rows = {{0, 3}}}};
  program.integer.assign(4, true);
  return program;
}

TEST(MaximizeInteger, SolvesAKnapsack) {
  IntegerOptimum optimum = MaximizeInteger(SmallKnapsack(), {}).value();
  EXPECT_NEAR(optimum.objective, 21, 1e-9);
  EXPECT_TRUE(optimum.optimal);
  EXPECT_NEAR(optimum.bound, 21, 1e-6);
  EXPECT_NEAR(optimum.values[0], 0, 1e-9);
}

TEST(MaximizeInteger, FindsNothingBetterThanTheOptimum) {
  IntegerProgram program = SmallKnapsack();
  program.at_least = 21.5;
  auto optimum = MaximizeInteger(program, {});
  ASSERT_FALSE(optimum.ok());
  EXPECT_EQ(optimum.error().code(), ErrorCode::kNotFound);
}

TEST(MaximizeInteger, FindsNothingBetterThanATinyOptimum) {
  IntegerProgram program = SmallKnapsack();
  for (auto& column : program.columns) column.objective *= 1e-7;
  program.at_least = 2.15e-6;  // -0.000002 with six decimals
  auto optimum = MaximizeInteger(program, {});
  ASSERT_FALSE(optimum.ok());
  EXPECT_EQ(optimum.error().code(), ErrorCode::kNotFound);
}

TEST(MaximizeInteger, EndsOnRequest) {
  IntegerProgram program{
      .columns = {{.objective = 1, .upper = 1, .rows = {{0, 1}}}},
      .rows = {{.upper = 1}},
      .integer = {true}};
  std::stop_source stop;
  stop.request_stop();
  auto optimum = MaximizeInteger(program, {.stop = stop.get_token()});
  ASSERT_FALSE(optimum.ok());
  EXPECT_EQ(optimum.error().code(), ErrorCode::kTimeout);
}

}  // namespace
}  // namespace mete
