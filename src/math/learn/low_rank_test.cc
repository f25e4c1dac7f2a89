#include "learn/low_rank.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace mete {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

// Two factors: size and kind.
Points TwoFactors() {
  Points rows;
  for (int i = 0; i < 24; ++i) {
    double size = i % 7;
    double kind = i % 3 - 1;
    rows.push_back({size, size + kind + 1, 2 * size - kind, size + 2 * kind});
  }
  return rows;
}

double ColumnVariance(const Points& rows, size_t column) {
  double sum = 0;
  for (const auto& row : rows) sum += row[column] * row[column];
  return sum / static_cast<double>(rows.size());
}

TEST(FillMissing, UsesWhatTheOtherColumnsImply) {
  Points rows = TwoFactors();
  Points gaps = rows;
  gaps[4][1] = gaps[9][3] = gaps[20][0] = kMissing;
  Points filled = FillMissing(gaps, 2);
  EXPECT_NEAR(filled[4][1], rows[4][1], 0.05);
  EXPECT_NEAR(filled[9][3], rows[9][3], 0.05);
  EXPECT_NEAR(filled[20][0], rows[20][0], 0.05);
  EXPECT_EQ(filled[4][0], rows[4][0]);
}

TEST(FillMissing, GivesARowWithoutCellsTheMeans) {
  Points filled =
      FillMissing({{1.0, 10.0}, {3.0, 30.0}, {kMissing, kMissing}}, 1);
  EXPECT_NEAR(filled[2][0], 2, 1e-3);
  EXPECT_NEAR(filled[2][1], 20, 1e-2);
}

TEST(DifferenceScores, OmitWhatAllSourcesShare) {
  Points rows;
  for (int i = 0; i < 12; ++i) {
    double level = i * 10;
    double kind = i % 2 == 0 ? 1 : -1;
    rows.push_back({level + kind, level - kind, level});
  }
  Points scores = DifferenceScores(rows, 2);
  EXPECT_NEAR(std::abs(scores[0][0]), 1, 1e-6);
  EXPECT_NEAR(scores[0][0], scores[10][0], 1e-6);
  EXPECT_NEAR(scores[0][0], -scores[1][0], 1e-6);
  EXPECT_NEAR(scores[0][1], 0, 1e-6);
}

TEST(Unexplained, KeepsWhatTheFeaturesDoNotExplain) {
  Points sources;
  Points features;
  for (int i = 0; i < 20; ++i) {
    double feature = i % 5;
    double secret = i % 2 == 0 ? 0.1 : -0.1;
    features.push_back({feature});
    sources.push_back({3 * feature + 2, 3 * feature + secret});
  }
  Points rest = Unexplained(sources, features);
  EXPECT_EQ(ColumnVariance(rest, 0), 0);
  EXPECT_NEAR(ColumnVariance(rest, 1), 1, 1e-9);
  EXPECT_GT(rest[0][1], 0.9);
}

TEST(Standardised, SetsAConstantColumnToZero) {
  Points rows = Standardised({{1.0, 5.0}, {3.0, 5.0}});
  EXPECT_NEAR(rows[0][0], -1, 1e-12);
  EXPECT_EQ(rows[0][1], 0);
  EXPECT_TRUE(Standardised({}).empty());
}

TEST(FillMissing, ChangesNothingInAFullTable) {
  Points rows = TwoFactors();
  EXPECT_EQ(FillMissing(rows, 1), rows);
  EXPECT_TRUE(FillMissing({}, 1).empty());
}

TEST(FillMissing, ContinuesTheLineOfTheOtherRows) {
  // The second column is twice the first, apart from one gap on each side.
  Points filled = FillMissing(
      {{1, 2}, {2, 4}, {3, 6}, {5, kMissing}, {kMissing, 14}, {8, 16}}, 1);
  EXPECT_NEAR(filled[3][1], 10, 0.01);
  EXPECT_NEAR(filled[4][0], 7, 0.01);
}

TEST(FillMissing, AColumnWithoutCellsIsFinite) {
  Points filled = FillMissing({{1, kMissing}, {3, kMissing}}, 1);
  EXPECT_TRUE(std::isfinite(filled[0][1]));
  EXPECT_TRUE(std::isfinite(filled[1][1]));
}

TEST(DifferenceScores, WeakComponentsCountBySquareRootOfTheirDeviation) {
  // Differences along two orthogonal directions with deviations 4 and 1.
  Points rows;
  for (int i = 0; i < 4; ++i) {
    double strong = i < 2 ? 4 : -4;
    double weak = i % 2 == 0 ? 1 : -1;
    rows.push_back({strong / std::sqrt(2) + weak / std::sqrt(6),
                    -strong / std::sqrt(2) + weak / std::sqrt(6),
                    -2 * weak / std::sqrt(6)});
  }
  Points scores = DifferenceScores(rows, 2);
  ASSERT_EQ(scores[0].size(), 2u);
  EXPECT_NEAR(ColumnVariance(scores, 0), 1, 1e-9);
  EXPECT_NEAR(ColumnVariance(scores, 1), 1.0 / 4, 1e-9);
  EXPECT_NEAR(std::abs(scores[0][0]), 1, 1e-9);
  EXPECT_NEAR(std::abs(scores[0][1]), 0.5, 1e-9);
}

TEST(DifferenceScores, HaveNoMoreColumnsThanSources) {
  Points scores = DifferenceScores({{1, 2}, {3, 1}, {0, 5}}, 9);
  EXPECT_EQ(scores[0].size(), 2u);
  EXPECT_TRUE(DifferenceScores({}, 2).empty());
}

TEST(DifferenceScores, AreZeroWhenAllSourcesAgree) {
  for (const auto& row : DifferenceScores({{1, 1}, {5, 5}, {9, 9}}, 2)) {
    EXPECT_EQ(row, (std::vector<double>{0, 0}));
  }
}

TEST(Unexplained, IsEmptyWithoutRows) {
  EXPECT_TRUE(Unexplained({}, {}).empty());
}

TEST(Standardised, HasUnitVarianceForAnyScale) {
  Points rows = Standardised({{10}, {20}, {60}});
  EXPECT_NEAR(ColumnVariance(rows, 0), 1, 1e-12);
  EXPECT_NEAR(rows[0][0] + rows[1][0] + rows[2][0], 0, 1e-12);
}

TEST(LowRank, NoRowsHaveNoResults) {
  EXPECT_TRUE(Standardised({}).empty());
  EXPECT_TRUE(FillMissing({}, 2).empty());
  EXPECT_TRUE(DifferenceScores({}, 2).empty());
}

TEST(FillMissing, KeepsTheMeanOfAColumnWithoutCellsAtZero) {
  Points filled = FillMissing({{1, kMissing}, {3, kMissing}}, 1);
  EXPECT_NEAR(filled[0][1] + filled[1][1], 0, 1e-9);
}

TEST(LowRank, ASingleRowIsEnough) {
  EXPECT_EQ(Standardised({{1, 2}}), (Points{{0, 0}}));
  EXPECT_EQ(FillMissing({{1, 2}}, 1), (Points{{1, 2}}));
  EXPECT_EQ(DifferenceScores({{1, 2}}, 1), (Points{{0}}));
}

}  // namespace
}  // namespace mete
