#include "optimize/prove_directly.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "optimize/bin_state.h"
#include "optimize/packed_bins.h"
#include "optimize/trim_patterns.h"

namespace mete {
namespace {

// Units that a program may decide on. A problem of four servers and sixty
// requests has 240.
constexpr size_t kMostDecisions = 250;
// Cbc searches below the known plan by this share, so that it has to find a
// plan as good: an answer without one cannot be checked.
constexpr double kMargin = 1e-5;
// Cbc's tolerance, relative to the score.
constexpr double kCbcRounding = 1e-7;

// Cbc's rows hold up to its tolerance only.
bool Fit(const PackingTables& tables, const Patterns& patterns) {
  std::vector<size_t> used(tables.classes().size());
  for (const Pattern& pattern : patterns) {
    if (++used[pattern.bin_class] >
        tables.classes()[pattern.bin_class].count()) {
      return false;
    }
    BinState bin(tables, pattern.bin_class);
    for (const Units& units : pattern.contents) {
      if (!bin.Fits(units)) return false;
      bin.Add(units);
    }
  }
  return true;
}

// One call of ProveDirectly.
class DirectSearch {
 public:
  DirectSearch(const PackingTables& tables, const DirectRequest& request)
      : tables_(tables),
        request_(request),
        together_(tables, request.bounds, BinGrouping::kTogether) {
    proof_.best = request.start;
    score_ = ScoreOf(tables, request.start);
    rounding_ = kCbcRounding * std::max(1.0, std::abs(score_));
    together_.program().at_least =
        score_ - kMargin * std::max(1.0, std::abs(score_));
  }

  Result<DirectProof> Run() {
    while (!request_.limits.Over() && proof_.bound > score_ + 2 * rounding_) {
      ASSIGN_OR_RETURN(bool again, ChooseItems());
      if (!again) break;
    }
    return std::move(proof_);
  }

 private:
  // Returns whether there is more to prove.
  Result<bool> ChooseItems() {
    auto chosen = MaximizeInteger(
        together_.program(),
        {.time = request_.limits.Left(), .stop = request_.limits.stop});
    double best = score_;
    if (chosen.ok()) {
      if (!chosen->optimal) return false;
      best = chosen->objective;
    } else if (chosen.error().code() == ErrorCode::kUnavailable) {
      return chosen.error();
    } else if (chosen.error().code() != ErrorCode::kNotFound) {
      return false;
    }
    // Until its items are forbidden, the known plan is among the solutions, and
    // an answer without it or one as good is wrong.
    if (!best_forbidden_ && (!chosen.ok() || best < score_ - rounding_)) {
      return false;
    }
    proof_.bound = std::max(score_, best) + rounding_;
    if (request_.on_bound) request_.on_bound(proof_.bound);
    if (best <= score_ + rounding_) return false;
    return DealOut(*chosen);
  }

  Result<bool> DealOut(const IntegerOptimum& chosen) {
    std::vector<bool> placed = together_.PlacedBy(chosen.values);
    BinProgram separate(tables_, request_.bounds, BinGrouping::kSeparate);
    separate.Demand(placed);
    auto dealt = MaximizeInteger(
        separate.program(),
        {.time = request_.limits.Left(), .stop = request_.limits.stop});
    if (!dealt.ok()) {
      if (dealt.error().code() == ErrorCode::kUnavailable) return dealt.error();
      if (dealt.error().code() != ErrorCode::kNotFound) return false;
      together_.Forbid(placed);
      return true;
    }
    Offer(TrimPatterns(tables_, separate.PatternsOf(dealt->values)));
    if (!dealt->optimal || score_ < dealt->objective - rounding_) return false;
    // These items cost more in single bins: nothing else with exactly them is
    // better than what was just found.
    together_.ForbidExactly(placed);
    best_forbidden_ = true;
    return proof_.bound > score_ + 2 * rounding_;
  }

  void Offer(Patterns patterns) {
    if (!Fit(tables_, patterns)) return;
    double score = ScoreOf(tables_, patterns);
    if (score <= score_) return;
    score_ = score;
    proof_.best = std::move(patterns);
  }

  const PackingTables& tables_;
  const DirectRequest& request_;
  BinProgram together_;
  double score_ = 0;     // of proof_.best
  double rounding_ = 0;  // of Cbc
  bool best_forbidden_ = false;
  DirectProof proof_;
};

}  // namespace

bool ProvableDirectly(const PackingTables& tables) {
  if (tables.problem().oracle != nullptr) return false;
  size_t decisions = 0;
  for (size_t c = 0; c < tables.classes().size(); ++c) {
    for (size_t i = 0; i < tables.size(); ++i) {
      if (tables.table(c).most[i] == 0) continue;
      decisions += tables.classes()[c].count();
    }
  }
  return decisions <= kMostDecisions;
}

Result<DirectProof> ProveDirectly(const PackingTables& tables,
                                  const DirectRequest& request) {
  return DirectSearch(tables, request).Run();
}

}  // namespace mete
