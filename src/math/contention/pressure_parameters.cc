#include "contention/pressure_parameters.h"

#include <algorithm>
#include <cmath>

#include "support/check.h"

namespace mete {
namespace {

// Statistics from here on are built upon the one before; the mean and the
// median stand alone.
constexpr size_t kFirstUpper = 2;

// Where training starts. Queueing theory gives the scale: with processor
// sharing, slowdown is near 1 until the cores are half used and steep beyond.
constexpr std::array<double, kDemandTerms> kStartWeights = {0.01, 0.5, 0.5};
constexpr std::array<double, 4> kStartConstants = {0.0, -0.8, -4.0, -8.0};
constexpr std::array<double, 4> kStartSlopes = {0.3, 1.8, 6.0, 10.0};
// Further pressures start weak and unequal.
constexpr std::array<double, kMostPressures> kStartScales = {1, 0.3, 0.2, 0.15};

double AtPiece(const std::array<double, 4>& start, size_t piece) {
  return start[std::min(piece, start.size() - 1)];
}

}  // namespace

PressureParameters::PressureParameters(const PressureShape& shape)
    : shape_(shape) {
  CHECK(shape.pressures >= 1 && shape.pressures <= kMostPressures)
      << "a network has 1 to 4 pressures";
  terms_.push_back({Free({.centre = 0, .deviation = 2})});  // gamma
  AddPressures();
  AddOffsets();
  AddPieces();
  AddCurves();
}

size_t PressureParameters::Add(ParameterPrior prior) {
  priors_.push_back(prior);
  return priors_.size() - 1;
}

// weights[a][k][m] = exp(shared[k][m] + own[a][k][m])
void PressureParameters::AddPressures() {
  std::vector<size_t> shared;
  for (size_t k = 0; k < shape_.pressures; ++k) {
    for (double start : kStartWeights) {
      shared.push_back(
          Add({.centre = std::log(start / shape_.cores), .deviation = 1}));
    }
  }
  for (size_t a = 0; a < shape_.applications; ++a) {
    for (size_t base : shared) {
      const size_t own = Add({.centre = 0, .deviation = 0.7});
      terms_.push_back({{.parameters = {base, own}, .exponential = true}});
    }
  }
}

// Wide priors: the trainer measures times in units of those alone.
void PressureParameters::AddOffsets() {
  for (size_t kind = 0; kind < kTimeKinds; ++kind) {
    for (size_t a = 0; a < shape_.applications; ++a) {
      Terms sum;
      for (size_t s = 0; s < kTimeStatistics; ++s) {
        if (s < kFirstUpper) {
          sum = {Free({.centre = 0, .deviation = 0.5})};
        } else {
          sum.push_back(Positive({.centre = -3, .deviation = 2}));
        }
        terms_.push_back(sum);
      }
    }
  }
}

void PressureParameters::AddPieces() {
  // How sensitive an application is: a factor of its slopes, and a shift of the
  // pressure at which each piece begins.
  std::vector<std::vector<size_t>> sensitivity(shape_.applications);
  std::vector<std::vector<size_t>> shift(shape_.applications);
  for (size_t a = 0; a < shape_.applications; ++a) {
    for (size_t k = 0; k < shape_.pressures; ++k) {
      sensitivity[a].push_back(Add({.centre = 0, .deviation = 0.5}));
    }
    for (size_t j = 0; j < shape_.pieces; ++j) {
      shift[a].push_back(Add({.centre = 0, .deviation = 0.3}));
    }
  }
  for (size_t j = 0; j < shape_.pieces; ++j) {
    Terms constant;
    Terms own;
    std::vector<std::vector<size_t>> slopes(shape_.pressures);
    for (size_t s = 0; s < kTimeStatistics; ++s) {
      if (s < kFirstUpper) {
        constant = {
            Free({.centre = AtPiece(kStartConstants, j), .deviation = 1})};
        own = {Positive({.centre = -4, .deviation = 1.5})};
        for (auto& slope : slopes) slope.clear();
      } else {
        constant.push_back(Positive({.centre = -4, .deviation = 1.5}));
        own.push_back(Positive({.centre = -5, .deviation = 1.5}));
      }
      const double share = s < kFirstUpper ? 1 : 0.2;
      for (size_t k = 0; k < shape_.pressures; ++k) {
        slopes[k].push_back(Add({.centre = std::log(share * kStartScales[k] *
                                                    AtPiece(kStartSlopes, j)),
                                 .deviation = 1}));
      }
      for (size_t a = 0; a < shape_.applications; ++a) {
        Terms shifted = constant;
        shifted.push_back({.parameters = {shift[a][j]}});
        terms_.push_back(std::move(shifted));
        terms_.push_back(own);
        for (size_t k = 0; k < shape_.pressures; ++k) {
          Terms slope;
          for (size_t part : slopes[k]) {
            slope.push_back(
                {.parameters = {part, sensitivity[a][k]}, .exponential = true});
          }
          terms_.push_back(std::move(slope));
        }
      }
    }
  }
}

// Values of a curve rise from knot to knot; so do their distances to the next
// lower quantile.
void PressureParameters::AddCurves() {
  const size_t knots = kUtilisationKnots.size();
  std::vector<Terms> values(knots);
  Terms kappa;
  for (size_t s = 0; s < kTimeStatistics; ++s) {
    if (s < kFirstUpper) {
      for (Terms& value : values) value.clear();
      kappa.clear();
    }
    kappa.push_back(Positive({.centre = -4, .deviation = 1}));
    terms_.push_back(kappa);
    Terms rise = {s < kFirstUpper ? Free({.centre = 0, .deviation = 0.5})
                                  : Positive({.centre = -3, .deviation = 1})};
    for (size_t i = 0; i < knots; ++i) {
      if (i > 0) {
        const double centre =
            (s < kFirstUpper ? 0.25 : 0.1) * kUtilisationKnots[i];
        rise.push_back(Positive({.centre = std::log(centre), .deviation = 1}));
      }
      values[i].insert(values[i].end(), rise.begin(), rise.end());
      terms_.push_back(values[i]);
    }
  }
}

std::vector<double*> PressureParameters::FieldsOf(
    PressureNetwork& network) const {
  std::vector<double*> fields{&network.gamma};
  for (PressureApplication& one : network.applications) {
    for (size_t k = 0; k < shape_.pressures; ++k) {
      for (double& weight : one.weights[k]) fields.push_back(&weight);
    }
  }
  for (PressureApplication& one : network.applications) {
    for (ServiceHead& head : one.service) fields.push_back(&head.offset);
  }
  for (PressureApplication& one : network.applications) {
    for (double& offset : one.sojourn_offsets) fields.push_back(&offset);
  }
  for (size_t j = 0; j < shape_.pieces; ++j) {
    for (size_t s = 0; s < kTimeStatistics; ++s) {
      for (PressureApplication& one : network.applications) {
        PressurePiece& piece = one.service[s].pieces[j];
        fields.push_back(&piece.constant);
        fields.push_back(&piece.own);
        for (size_t k = 0; k < shape_.pressures; ++k) {
          fields.push_back(&piece.slope.parts[k]);
        }
      }
    }
  }
  for (SojournCurve& curve : network.sojourn) {
    fields.push_back(&curve.kappa);
    for (double& value : curve.values) fields.push_back(&value);
  }
  CHECK(fields.size() == terms_.size())
      << fields.size() << " numbers and " << terms_.size() << " formulas";
  return fields;
}

PressureNetwork PressureParameters::Zero() const {
  PressureNetwork network{.pressures = shape_.pressures, .gamma = 0};
  network.applications.resize(shape_.applications);
  for (PressureApplication& one : network.applications) {
    one.service_alone = 1;
    for (ServiceHead& head : one.service) head.pieces.resize(shape_.pieces);
  }
  return network;
}

double PressureParameters::SumOf(const Term& term,
                                 std::span<const double> parameters) {
  double sum = 0;
  for (size_t i : term.parameters) sum += parameters[i];
  // A step that is too long must not overflow.
  return term.exponential ? std::exp(std::min(sum, 12.0)) : sum;
}

PressureNetwork PressureParameters::ToNetwork(
    std::span<const double> parameters) const {
  PressureNetwork network = Zero();
  std::vector<double*> fields = FieldsOf(network);
  for (size_t i = 0; i < fields.size(); ++i) {
    for (const Term& term : terms_[i]) *fields[i] += SumOf(term, parameters);
  }
  // In [0.02, 1]: the logistic function of its parameter.
  network.gamma = 0.02 + 0.98 / (1 + std::exp(-network.gamma));
  return network;
}

std::vector<double> PressureParameters::ToGradient(
    std::span<const double> parameters, PressureNetwork& slopes) const {
  std::vector<double> gradient(priors_.size());
  std::vector<double*> fields = FieldsOf(slopes);
  const double logistic = 1 / (1 + std::exp(-parameters[0]));
  *fields[0] *= 0.98 * logistic * (1 - logistic);
  for (size_t i = 0; i < fields.size(); ++i) {
    if (*fields[i] == 0) continue;
    for (const Term& term : terms_[i]) {
      const double by_sum =
          *fields[i] * (term.exponential ? SumOf(term, parameters) : 1);
      for (size_t p : term.parameters) gradient[p] += by_sum;
    }
  }
  return gradient;
}

}  // namespace mete
