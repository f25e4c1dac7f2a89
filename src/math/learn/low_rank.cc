#include "learn/low_rank.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace mete {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Rounds of filling; our tables converge within a dozen.
constexpr int kRounds = 30;
constexpr double kSettled = 1e-6;
// Smaller variances are rounding errors.
constexpr double kNoVariance = 1e-18;

MatrixXd ToMatrix(const Points& rows) {
  auto columns = rows.empty() ? 0 : static_cast<Index>(rows[0].size());
  MatrixXd matrix(static_cast<Index>(rows.size()), columns);
  for (Index i = 0; i < matrix.rows(); ++i) {
    for (Index j = 0; j < columns; ++j) {
      matrix(i, j) = rows[static_cast<size_t>(i)][static_cast<size_t>(j)];
    }
  }
  return matrix;
}

Points ToPoints(const MatrixXd& matrix) {
  Points rows(static_cast<size_t>(matrix.rows()));
  for (size_t i = 0; i < rows.size(); ++i) {
    for (Index j = 0; j < matrix.cols(); ++j) {
      rows[i].push_back(matrix(static_cast<Index>(i), j));
    }
  }
  return rows;
}

void ScaleColumns(MatrixXd& matrix) {
  for (Index j = 0; j < matrix.cols(); ++j) {
    double variance = matrix.col(j).squaredNorm() /
                      static_cast<double>(std::max<Index>(1, matrix.rows()));
    matrix.col(j) *= variance > kNoVariance ? 1 / std::sqrt(variance) : 0;
  }
}

// Directions of the largest variances in descending order, and the variances.
struct Components {
  MatrixXd directions;
  VectorXd variances;
};

Components ComputeComponents(const MatrixXd& centred, size_t count) {
  Eigen::SelfAdjointEigenSolver<MatrixXd> solver(
      centred.transpose() * centred / static_cast<double>(centred.rows()));
  Index kept = std::min(static_cast<Index>(count), centred.cols());
  return {
      .directions = solver.eigenvectors().rightCols(kept).rowwise().reverse(),
      .variances = solver.eigenvalues().tail(kept).reverse().cwiseMax(0)};
}

// Gaps get the row's mean distance from the column means.
MatrixXd FirstFilling(const MatrixXd& given) {
  MatrixXd filled = given;
  VectorXd means = VectorXd::Zero(given.cols());
  for (Index j = 0; j < given.cols(); ++j) {
    auto there = given.col(j).array().isFinite();
    auto count = static_cast<double>(there.count());
    means(j) =
        count > 0 ? there.select(given.col(j).array(), 0).sum() / count : 0;
  }
  for (Index i = 0; i < given.rows(); ++i) {
    Eigen::ArrayXd distances = given.row(i).transpose() - means;
    auto there = distances.isFinite();
    auto count = static_cast<double>(there.count());
    double level = count > 0 ? there.select(distances, 0).sum() / count : 0;
    for (Index j = 0; j < given.cols(); ++j) {
      if (!there(j)) filled(i, j) = means(j) + level;
    }
  }
  return filled;
}

}  // namespace

Points Standardised(const Points& rows) {
  if (rows.empty()) return {};
  MatrixXd matrix = ToMatrix(rows);
  matrix.rowwise() -= matrix.colwise().mean().eval();
  ScaleColumns(matrix);
  return ToPoints(matrix);
}

Points FillMissing(const Points& rows, size_t rank) {
  if (rows.empty()) return {};
  MatrixXd given = ToMatrix(rows);
  auto there = given.array().isFinite().eval();
  if (there.all()) return rows;
  MatrixXd filled = FirstFilling(given);
  for (int round = 0; round < kRounds; ++round) {
    Eigen::RowVectorXd means = filled.colwise().mean();
    MatrixXd centred = filled.rowwise() - means;
    MatrixXd directions = ComputeComponents(centred, rank).directions;
    MatrixXd estimated =
        (centred * directions * directions.transpose()).rowwise() + means;
    MatrixXd next = there.select(given, estimated);
    double change = (next - filled).cwiseAbs().maxCoeff();
    filled = std::move(next);
    if (change < kSettled) break;
  }
  return ToPoints(filled);
}

Points DifferenceScores(const Points& rows, size_t count) {
  if (rows.empty()) return {};
  MatrixXd matrix = ToMatrix(rows);
  matrix.rowwise() -= matrix.colwise().mean().eval();
  matrix.colwise() -= matrix.rowwise().mean().eval();
  Components components = ComputeComponents(matrix, count);
  MatrixXd scores = matrix * components.directions;
  ScaleColumns(scores);
  for (Index j = 0; j < scores.cols(); ++j) {
    double share = components.variances(0) > kNoVariance
                       ? components.variances(j) / components.variances(0)
                       : 0;
    scores.col(j) *= std::pow(share, 0.25);
  }
  return ToPoints(scores);
}

Points Unexplained(const Points& rows, const Points& explained) {
  if (rows.empty()) return {};
  MatrixXd matrix = ToMatrix(rows);
  MatrixXd known = ToMatrix(explained);
  matrix.rowwise() -= matrix.colwise().mean().eval();
  known.rowwise() -= known.colwise().mean().eval();
  MatrixXd before = matrix;
  matrix -= known * known.completeOrthogonalDecomposition().solve(matrix);
  for (Index j = 0; j < matrix.cols(); ++j) {
    // Ignore rounding errors.
    if (matrix.col(j).norm() < 1e-9 * before.col(j).norm()) {
      matrix.col(j).setZero();
    }
  }
  ScaleColumns(matrix);
  return ToPoints(matrix);
}

}  // namespace mete
