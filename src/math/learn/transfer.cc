#include "learn/transfer.h"

#include <Eigen/Cholesky>
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <optional>

#include "stats/quantile.h"
#include "support/check.h"

namespace mete {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Members with less than this share of the best one's weight have no visible
// influence on the average.
constexpr double kNegligible = 1e-3;

Index ToIndex(size_t value) { return static_cast<Index>(value); }

MatrixXd SelectRows(const Points& values, std::span<const size_t> items) {
  Index columns = values.empty() ? 0 : ToIndex(values[0].size());
  MatrixXd rows(ToIndex(items.size()), columns);
  for (size_t i = 0; i < items.size(); ++i) {
    for (Index j = 0; j < columns; ++j) {
      rows(ToIndex(i), j) = values[items[i]][static_cast<size_t>(j)];
    }
  }
  return rows;
}

MatrixXd ComputeCovariance(const CovarianceBlock& block,
                           std::span<const size_t> a,
                           std::span<const size_t> b) {
  MatrixXd x = SelectRows(block.values, a);
  MatrixXd y = SelectRows(block.values, b);
  auto columns = static_cast<double>(std::max<Index>(1, x.cols()));
  MatrixXd product = x * y.transpose() / columns;
  if (block.shape == CovarianceBlock::Shape::kLinear) return product;
  VectorXd x_norms = x.rowwise().squaredNorm() / columns;
  VectorXd y_norms = y.rowwise().squaredNorm() / columns;
  MatrixXd distances = (-2 * product).colwise() + x_norms;
  distances.rowwise() += y_norms.transpose();
  return (distances.array().max(0) / (-2 * block.length * block.length)).exp();
}

VectorXd ComputeSelfCovariance(const CovarianceBlock& block) {
  VectorXd self = VectorXd::Ones(ToIndex(block.values.size()));
  if (block.shape == CovarianceBlock::Shape::kRbf) return self;
  for (size_t i = 0; i < block.values.size(); ++i) {
    Eigen::Map<const VectorXd> row(block.values[i].data(),
                                   ToIndex(block.values[i].size()));
    self(ToIndex(i)) =
        row.squaredNorm() / static_cast<double>(std::max<Index>(1, row.size()));
  }
  return self;
}

VectorXd ToVector(const Carrier& carrier) {
  return Eigen::Map<const VectorXd>(carrier.values.data(),
                                    ToIndex(carrier.values.size()));
}

VectorXd CentredValues(const Carrier& carrier) {
  VectorXd values = ToVector(carrier);
  return values.array() - values.mean();
}

VectorXd Select(const VectorXd& values, std::span<const size_t> items) {
  VectorXd chosen(ToIndex(items.size()));
  for (size_t i = 0; i < items.size(); ++i) {
    chosen(ToIndex(i)) = values(ToIndex(items[i]));
  }
  return chosen;
}

std::vector<size_t> Counting(size_t items) {
  std::vector<size_t> all(items);
  for (size_t i = 0; i < items; ++i) all[i] = i;
  return all;
}

size_t CountItems(const TransferPrior& prior) {
  if (!prior.blocks.empty()) return prior.blocks[0].values.size();
  return prior.carriers.empty() ? 0 : prior.carriers[0].values.size();
}

Status CheckPrior(const TransferPrior& prior) {
  size_t items = CountItems(prior);
  if (items == 0 || prior.weights.empty()) {
    return InvalidInput("transfer: no items, or no weights to try");
  }
  for (const CovarianceBlock& block : prior.blocks) {
    if (block.values.size() != items) {
      return InvalidInput("transfer: blocks differ in their number of items");
    }
  }
  for (const Carrier& carrier : prior.carriers) {
    if (carrier.values.size() != items) {
      return InvalidInput("transfer: carriers differ in their items");
    }
  }
  for (const PriorWeights& weights : prior.weights) {
    if (weights.variances.size() != prior.blocks.size()) {
      return InvalidInput("transfer: expected one variance per block");
    }
  }
  return {};
}

// One of the averaged Gaussian processes: a carrier with weights, fitted.
struct Member {
  const PriorWeights* weights = nullptr;
  size_t carrier = 0;
  // of the residuals of the carrier; subtracted before the fit
  double centre = 0;
  Eigen::LLT<MatrixXd> factor;
  VectorXd solved;
  double log_weight = 0;
};

// The prior restricted to the observed items.
class Averaging {
 public:
  Averaging(const TransferPrior& prior,
            std::span<const Observation> observations)
      : prior_(prior), carriers_(prior.carriers) {
    if (carriers_.empty()) {
      carriers_.push_back(
          {.values = std::vector<double>(CountItems(prior), 0.0)});
    }
    y_.resize(ToIndex(observations.size()));
    for (size_t i = 0; i < observations.size(); ++i) {
      observed_.push_back(observations[i].item);
      y_(ToIndex(i)) = observations[i].value;
    }
    std::vector<size_t> all = Counting(CountItems(prior));
    for (const CovarianceBlock& block : prior.blocks) {
      among_.push_back(ComputeCovariance(block, observed_, observed_));
      across_.push_back(ComputeCovariance(block, all, observed_));
      self_.push_back(ComputeSelfCovariance(block));
    }
  }

  std::vector<GaussianEstimate> Run() {
    for (size_t carrier = 0; carrier < carriers_.size(); ++carrier) {
      for (const PriorWeights& weights : prior_.weights) {
        if (std::optional<Member> member = Fit(carrier, weights)) {
          members_.push_back(*std::move(member));
        }
      }
    }
    return Average();
  }

 private:
  std::optional<Member> Fit(size_t carrier, const PriorWeights& weights) const {
    const Carrier& followed = carriers_[carrier];
    VectorXd rest = y_ - followed.slope * Select(ToVector(followed), observed_);
    std::vector<double> sorted(rest.data(), rest.data() + rest.size());
    Member member{.weights = &weights,
                  .carrier = carrier,
                  .centre = *Quantile(sorted, 0.5)};
    rest.array() -= member.centre;
    VectorXd values = Select(CentredValues(followed), observed_);
    MatrixXd covariance = followed.slope_variance * values * values.transpose();
    covariance.array() += prior_.level_variance;
    for (size_t i = 0; i < among_.size(); ++i) {
      covariance += weights.variances[i] * among_[i];
    }
    covariance.diagonal().array() += weights.noise;
    member.factor.compute(covariance);
    if (member.factor.info() != Eigen::Success) return std::nullopt;
    member.solved = member.factor.solve(rest);
    MatrixXd lower = member.factor.matrixL();
    double evidence =
        -0.5 * rest.dot(member.solved) - lower.diagonal().array().log().sum();
    member.log_weight = prior_.temper * evidence + std::log(followed.prior);
    return member;
  }

  // Adds to the sums of w, w mean and w (mean^2 + variance).
  void AddMember(const Member& member, double weight, VectorXd& first,
                 VectorXd& second) const {
    const Carrier& followed = carriers_[member.carrier];
    VectorXd centred = CentredValues(followed);
    MatrixXd across = followed.slope_variance * centred *
                      Select(centred, observed_).transpose();
    VectorXd variance = followed.slope_variance * centred.cwiseAbs2();
    across.array() += prior_.level_variance;
    variance.array() += prior_.level_variance;
    for (size_t i = 0; i < across_.size(); ++i) {
      across += member.weights->variances[i] * across_[i];
      variance += member.weights->variances[i] * self_[i];
    }
    VectorXd mean =
        followed.slope * ToVector(followed) + across * member.solved;
    mean.array() += member.centre;
    MatrixXd known = member.factor.matrixL().solve(across.transpose());
    variance -= known.colwise().squaredNorm().transpose();
    first += weight * mean;
    second += weight * (mean.cwiseAbs2() + variance.cwiseMax(0));
  }

  std::vector<GaussianEstimate> Average() const {
    Index items = ToIndex(CountItems(prior_));
    VectorXd first = VectorXd::Zero(items);
    VectorXd second = VectorXd::Zero(items);
    double best = -HUGE_VAL;
    for (const Member& member : members_) {
      best = std::max(best, member.log_weight);
    }
    double sum = 0;
    for (const Member& member : members_) {
      double weight = std::exp(member.log_weight - best);
      if (weight < kNegligible) continue;
      AddMember(member, weight, first, second);
      sum += weight;
    }
    std::vector<GaussianEstimate> estimates;
    for (Index i = 0; i < items; ++i) {
      double mean = first(i) / sum;
      estimates.push_back(
          {.mean = mean,
           .variance = std::max(0.0, second(i) / sum - mean * mean)});
    }
    return estimates;
  }

  const TransferPrior& prior_;
  std::vector<Carrier> carriers_;
  std::vector<size_t> observed_;
  VectorXd y_;
  std::vector<MatrixXd> among_;   // of the observed, one per block
  std::vector<MatrixXd> across_;  // of all items with the observed
  std::vector<VectorXd> self_;
  std::vector<Member> members_;
};

// Covariance of the candidates before any observation, averaged over the
// carriers.
MatrixXd PriorCovariance(const TransferPrior& prior,
                         const ChoiceRequest& request) {
  Index count = ToIndex(request.candidates.size());
  MatrixXd covariance = MatrixXd::Constant(count, count, prior.level_variance);
  for (size_t i = 0; i < prior.blocks.size(); ++i) {
    covariance += request.weights.variances[i] *
                  ComputeCovariance(prior.blocks[i], request.candidates,
                                    request.candidates);
  }
  double priors = 0;
  for (const Carrier& carrier : prior.carriers) priors += carrier.prior;
  for (const Carrier& carrier : prior.carriers) {
    VectorXd values = Select(CentredValues(carrier), request.candidates);
    covariance += carrier.slope_variance * carrier.prior / priors * values *
                  values.transpose();
  }
  return covariance;
}

}  // namespace

Result<std::vector<GaussianEstimate>> EstimateItems(
    const TransferPrior& prior, std::span<const Observation> observations) {
  RETURN_IF_ERROR(CheckPrior(prior));
  if (observations.empty()) {
    return InvalidInput("transfer: no observations");
  }
  for (const Observation& observation : observations) {
    if (observation.item >= CountItems(prior)) {
      return InvalidInput("transfer: observed an item that does not exist");
    }
  }
  return Averaging(prior, observations).Run();
}

std::vector<size_t> ChooseItems(const TransferPrior& prior,
                                const ChoiceRequest& request) {
  Status status = CheckPrior(prior);
  CHECK(status.ok()) << "choose items: invalid prior";
  CHECK(request.weights.variances.size() == prior.blocks.size())
      << "expected one variance per block";
  MatrixXd covariance = PriorCovariance(prior, request);
  std::vector<size_t> chosen;
  VectorXd open = VectorXd::Ones(covariance.rows());
  while (chosen.size() < std::min(request.count, request.candidates.size())) {
    VectorXd gain = covariance.diagonal();
    if (request.criterion == Criterion::kMostInformative) {
      gain = covariance.cwiseAbs2().colwise().sum().transpose().array() /
             (gain.array() + request.weights.noise);
    }
    Index best = 0;
    (open.array() > 0).select(gain, -1).maxCoeff(&best);
    chosen.push_back(request.candidates[static_cast<size_t>(best)]);
    open(best) = 0;
    VectorXd known = covariance.col(best) /
                     std::sqrt(covariance(best, best) + request.weights.noise);
    covariance -= known * known.transpose();
  }
  return chosen;
}

}  // namespace mete
