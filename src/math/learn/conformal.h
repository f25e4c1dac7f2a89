// Prediction intervals with guaranteed coverage for any predictor.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace mete {

// Split conformal prediction (Vovk, Gammerman, Shafer, "Algorithmic learning in
// a random world", 2005; Lei et al., JASA 113 (2018), algorithm 2): given n
// residuals of rows the predictor was not trained on, the interval whose
// half-width is their ceil((n + 1) coverage)-th smallest magnitude contains a
// new row of the same kind with at least that probability. With residuals of
// cross-validation this is the cross-conformal variant.
//
// Absent when n is too small for the coverage: fewer than
// coverage / (1 - coverage) residuals.
std::optional<double> ConformalRadius(std::span<const double> residuals,
                                      double coverage);

// The same for rows in groups (all runs of one network) when the new row
// belongs to a new group: every group counts as one whatever its number of
// rows, otherwise large groups would dominate. The radius is that quantile of
// the residuals' magnitudes weighted by 1 / rows of their group, with the new
// group's weight put at infinity (Tibshirani et al., "Conformal prediction
// under covariate shift", NeurIPS 2019, lemma 1).
std::optional<double> GroupConformalRadius(std::span<const double> residuals,
                                           std::span<const std::string> groups,
                                           double coverage);

// Share of rows whose residual lies within the radius computed without their
// own group: an unbiased estimate of the coverage. Absent when there are too
// few groups for a radius.
std::optional<double> LeaveGroupOutCoverage(std::span<const double> residuals,
                                            std::span<const std::string> groups,
                                            double coverage);

}  // namespace mete
