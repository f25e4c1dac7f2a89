#include "contention/pressure_training.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "contention/log_margins.h"
#include "support/random.h"

namespace mete {
namespace {

constexpr size_t kLeastMixes = 6;  // random or active ones
// A further pressure must lower the error by this share to be worth it.
constexpr double kWorthwhile = 0.01;

// Adam (Kingma and Ba, "Adam: a method for stochastic optimization", ICLR 2015,
// algorithm 1) on the whole gradient, with a rate that falls like a cosine.
class FullBatchAdam {
 public:
  explicit FullBatchAdam(size_t parameters) : m_(parameters), v_(parameters) {}

  void Step(std::span<const double> gradient, double rate,
            std::vector<double>& parameters) {
    ++steps_;
    const double m_scale = 1 / (1 - std::pow(kBeta1, steps_));
    const double v_scale = 1 / (1 - std::pow(kBeta2, steps_));
    for (size_t i = 0; i < parameters.size(); ++i) {
      m_[i] += (1 - kBeta1) * (gradient[i] - m_[i]);
      v_[i] += (1 - kBeta2) * (gradient[i] * gradient[i] - v_[i]);
      parameters[i] -=
          rate * m_[i] * m_scale / (std::sqrt(v_[i] * v_scale) + 1e-8);
    }
  }

 private:
  static constexpr double kBeta1 = 0.9;
  static constexpr double kBeta2 = 0.99;
  double steps_ = 0;
  std::vector<double> m_;
  std::vector<double> v_;
};

// Errors on the mixes that one fit did not see.
void AddHeldOut(const PressurePredictor& predictor,
                std::span<const MeasuredMix> test, HeldOutErrors& errors) {
  for (const MeasuredMix& mix : test) {
    auto times = predictor.Predict(mix.Tenants());
    if (!times.ok()) continue;  // an application that only this mix has
    for (size_t i = 0; i < mix.rows.size(); ++i) {
      errors.Add(mix.rows[i], (*times)[i]);
    }
  }
}

// One number of pressures, judged on held-out mixes.
struct Candidate {
  size_t pressures = 0;
  HeldOutErrors errors;
};

size_t ChooseCandidate(const std::vector<Candidate>& candidates) {
  double best = candidates[0].errors.MeanAbsolute();
  for (const Candidate& one : candidates) {
    best = std::min(best, one.errors.MeanAbsolute());
  }
  for (size_t i = 0; i < candidates.size(); ++i) {
    if (candidates[i].errors.MeanAbsolute() <= best * (1 + kWorthwhile)) {
      return i;
    }
  }
  return 0;
}

// Where one descent ended.
struct Descent {
  std::vector<double> parameters;
  double loss = 0;
};

Descent Descend(const PressureTrainingSet& set, const PressureParameters& shape,
                size_t steps, uint64_t seed) {
  constexpr double kRate = 0.05;
  Random random(seed);
  Descent descent;
  for (const ParameterPrior& prior : shape.priors()) {
    // Unequal starts let the pressures become different ones.
    descent.parameters.push_back(prior.centre + 0.1 * random.Normal());
  }
  FullBatchAdam adam(descent.parameters.size());
  std::vector<double> gradient;
  for (size_t step = 0; step < steps; ++step) {
    descent.loss = set.Loss(shape, descent.parameters, gradient);
    const double done = static_cast<double>(step) / static_cast<double>(steps);
    adam.Step(gradient, kRate * (1 + std::cos(std::numbers::pi * done)) / 2,
              descent.parameters);
  }
  return descent;
}

PressurePredictor WithoutMargins(const PressureTrainingSet& set,
                                 PressureNetwork network) {
  return PressurePredictor(
      {.applications = set.applications(),
       .network = std::move(network),
       .margins = std::vector<LogMargins>(set.applications().size())});
}

}  // namespace

PressureNetwork FitPressures(const PressureTrainingSet& set,
                             const PressureFit& fit) {
  PressureParameters shape({.applications = set.applications().size(),
                            .pressures = fit.pressures,
                            .pieces = fit.pieces,
                            .cores = set.cores()});
  Descent best;
  for (size_t start = 0; start < fit.starts; ++start) {
    Descent one =
        Descend(set, shape, fit.steps,
                DeriveSeed(fit.seed, "start " + std::to_string(start)));
    if (start == 0 || one.loss < best.loss) best = std::move(one);
  }
  return set.InSeconds(shape.ToNetwork(best.parameters));
}

Result<PressurePredictor> TrainPressures(std::span<const MeasuredMix> mixes,
                                         const PressureTrainingRequest& request,
                                         const OnFit& on_fit,
                                         const std::stop_token& stop) {
  CHECK(!request.pressures.empty()) << "no number of pressures to try";
  const std::vector<MixSplit> folds =
      MixFolds(mixes, {.folds = request.folds, .seed = request.seed});
  size_t tested = 0;
  for (const MixSplit& fold : folds) tested += fold.test.size();
  if (tested < kLeastMixes) {
    return InvalidInput(
        fmt::format("training needs at least {} random or active mixes, found "
                    "{}; measure more with mete contend random",
                    kLeastMixes, tested));
  }
  const std::vector<std::string> applications = ApplicationsIn(mixes);
  const size_t of = request.pressures.size() * folds.size() + 1;
  size_t done = 0;
  auto fit = [&](const PressureTrainingSet& set, size_t pressures) {
    PressureNetwork network = FitPressures(set, {.pressures = pressures,
                                                 .starts = request.starts,
                                                 .steps = request.steps,
                                                 .seed = request.seed});
    if (on_fit) on_fit(++done, of);
    return WithoutMargins(set, std::move(network));
  };
  std::vector<Candidate> candidates;
  for (size_t pressures : request.pressures) {
    candidates.push_back({.pressures = pressures,
                          .errors = HeldOutErrors(FindTimesAlone(mixes))});
    for (const MixSplit& fold : folds) {
      if (stop.stop_requested()) {
        return Error(ErrorCode::kInterrupted, "training was interrupted");
      }
      AddHeldOut(fit(PressureTrainingSet(fold.train, applications), pressures),
                 fold.test, candidates.back().errors);
    }
  }
  const Candidate& chosen = candidates[ChooseCandidate(candidates)];
  PressurePredictor all =
      fit(PressureTrainingSet(mixes, applications), chosen.pressures);
  PressurePredictor::Parts parts = all.parts();
  parts.margins = chosen.errors.Margins(applications);
  return PressurePredictor(std::move(parts));
}

}  // namespace mete
