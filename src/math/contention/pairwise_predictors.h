// Rivals that learn curves of pairs: PERX, Scal-ORAN and the app-agnostic one,
// as NeuRO's authors compare with. Their published constants are kept.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "contention/contention_predictor.h"
#include "contention/logistic_curve.h"
#include "contention/measured_mixes.h"
#include "support/json_fwd.h"

namespace mete {

// How curves become times:
//   perx          base_a + sum over others b of max(0, t_ab(n_b, rate_b) -
//   base_a) scaloran      mean over the present applications b of t_bb(n_total,
//   rate_b) scaloran-sum  their sum agnostic      t_aa(n_total, rate_a)
enum class PairwiseRule { kPerx, kScalOran, kScalOranSum, kAgnostic };
std::string_view ToString(PairwiseRule rule);
Result<PairwiseRule> ParsePairwiseRule(std::string_view name);

// Curves and times alone, by label; applications by number.
struct PairwiseCurves {
  std::vector<std::string> applications;  // sorted
  // of (a, b): the time of a beside b
  using Curves = std::map<std::pair<size_t, size_t>, LogisticCurve>;
  std::array<Curves, kTimeKinds * kTimeStatistics> curves;
  std::vector<TimesAlone> alone;
};

// Fits every ordered pair to the mixes that contain just these two
// applications: one tenant each, or tenants of one application for (a, a).
PairwiseCurves FitPairwise(std::span<const MeasuredMix> mixes);

// A rule over curves. A pair without a curve counts as no contention.
class PairwisePredictor final : public ContentionPredictor {
 public:
  PairwisePredictor(PairwiseRule rule, PairwiseCurves curves)
      : rule_(rule), curves_(std::move(curves)) {}

  // Fails with kCorrupt when the document is not such a predictor.
  static Result<PairwisePredictor> FromJson(PairwiseRule rule,
                                            const Json& json);
  Json ToJson() const;

  std::string_view method() const override { return ToString(rule_); }
  std::vector<std::string> Applications() const override {
    return curves_.applications;
  }
  Result<std::vector<TenantTimes>> Predict(
      std::span<const Tenant> tenants) const override;

 private:
  // Tenants of an application together: instances summed, rates averaged.
  struct Group {
    size_t application = 0;
    double instances = 0;
    double rate = 0;
  };
  std::optional<double> TimeAt(size_t label, size_t a, size_t b, double n,
                               double rate) const;
  std::optional<double> Answer(size_t label, const Group& own,
                               std::span<const Group> others,
                               std::span<const Group> all) const;

  PairwiseRule rule_;
  PairwiseCurves curves_;
};

}  // namespace mete
