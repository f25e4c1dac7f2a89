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

}  // namespace
}  // namespace mete
