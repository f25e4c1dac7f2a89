#include "optimize/ruin_recreate.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "optimize/bin_state.h"
#include "optimize/packed_bins.h"
#include "optimize/parallel_for.h"
#include "optimize/part_search.h"
#include "support/random.h"

namespace mete {
namespace {

constexpr size_t kBinsPerPart = 12;
constexpr size_t kRounds = 16;
// Temperatures as shares of the mean score of an item.
constexpr double kHot = 0.15;
constexpr double kHotIfGood = 0.02;
constexpr double kCold = 0.002;
// Contents that all parts together remember in a round.
constexpr size_t kRemembered = 1500;

// One call of RuinAndRecreate.
class Rounds {
 public:
  Rounds(const PackingTables& tables, PatternPool& pool,
         const RuinRequest& request)
      : tables_(tables), pool_(pool), request_(request) {
    FillBins();
    result_.best = request.start;
    result_.score = score_ = ScoreOf(tables, request.start);
    parts_ = std::max<size_t>(1, bins_.size() / kBinsPerPart);
    for (size_t i = 0; i < tables.size(); ++i) {
      mean_score_ += std::max(0.0, tables.item(i).score) /
                     static_cast<double>(tables.size());
    }
  }

  RuinResult Run() && {
    for (size_t round = 0; round < kRounds && !bins_.empty(); ++round) {
      if (request_.limits.Over()) {
        result_.cut_short = true;
        break;
      }
      Round(round);
    }
    return std::move(result_);
  }

 private:
  // One state for every bin; those of a class are interchangeable.
  void FillBins() {
    std::vector<bool> placed(tables_.size());
    for (size_t c = 0; c < tables_.classes().size(); ++c) {
      size_t left = tables_.classes()[c].count();
      for (const Pattern& pattern : request_.start) {
        if (pattern.bin_class != c) continue;
        bins_.emplace_back(tables_, c);
        for (const Units& u : pattern.contents) {
          bins_.back().Add(u);
          placed[u.item] = true;
        }
        --left;
      }
      for (; left > 0; --left) bins_.emplace_back(tables_, c);
    }
    for (size_t i = 0; i < tables_.size(); ++i) {
      if (!placed[i] && tables_.FitsSomewhere(i)) waiting_.push_back(i);
    }
  }

  double Temperature(double progress) const {
    double hot = request_.good_start ? kHotIfGood : kHot;
    return mean_score_ * hot * std::pow(kCold / hot, progress) + 1e-12;
  }

  void Round(size_t round) {
    uint64_t seed = DeriveSeed(request_.seed, "round " + std::to_string(round));
    Random random(seed);
    std::vector<size_t> order(bins_.size());
    std::iota(order.begin(), order.end(), size_t{0});
    Shuffle(order, random);
    Shuffle(waiting_, random);
    std::vector<PartResult> results(parts_);
    bool late = round >= kRounds / 2;
    ParallelFor(request_.threads, parts_, [&](size_t p) {
      PartRequest request{.moves = request_.moves / (kRounds * parts_),
                          .seed = DeriveSeed(seed, "part " + std::to_string(p)),
                          .hot = Temperature(double(round) / kRounds),
                          .cold = Temperature(double(round + 1) / kRounds),
                          .keys = &request_.keys,
                          .most_patterns = late ? kRemembered / parts_ : 0,
                          .limits = request_.limits};
      results[p] = SearchPartOfBins(tables_, MakePart(order, p), request);
    });
    Collect(order, std::move(results));
  }

  // Every parts_-th bin and waiting item.
  SearchPart MakePart(const std::vector<size_t>& order, size_t p) const {
    SearchPart part;
    for (size_t k = p; k < order.size(); k += parts_) {
      part.bins.push_back(bins_[order[k]]);
    }
    for (size_t k = p; k < waiting_.size(); k += parts_) {
      part.waiting.push_back(waiting_[k]);
    }
    return part;
  }

  void Collect(const std::vector<size_t>& order,
               std::vector<PartResult> results) {
    double best = score_;
    for (const PartResult& part : results) best += part.best_gain;
    if (best > result_.score + 1e-9) {
      Patterns patterns;
      for (const PartResult& part : results) {
        for (const BinState& bin : part.best.bins) {
          if (!bin.empty()) patterns.push_back(bin.ToPattern());
        }
      }
      result_.best = std::move(patterns);
      result_.score = best;
      pool_.AddAll(result_.best);
    }
    waiting_.clear();
    for (size_t p = 0; p < results.size(); ++p) {
      PartResult& part = results[p];
      pool_.AddAll(part.visited);
      for (size_t k = 0; k < part.last.bins.size(); ++k) {
        bins_[order[p + k * parts_]] = part.last.bins[k];
      }
      waiting_.insert(waiting_.end(), part.last.waiting.begin(),
                      part.last.waiting.end());
      score_ += part.last_gain;
      result_.evaluations += part.evaluations;
      result_.cut_short = result_.cut_short || part.cut_short;
    }
  }

  const PackingTables& tables_;
  PatternPool& pool_;
  const RuinRequest& request_;
  std::vector<BinState> bins_;
  std::vector<size_t> waiting_;  // items without units
  double score_ = 0;             // of bins_
  double mean_score_ = 0;
  size_t parts_ = 1;
  RuinResult result_;
};

}  // namespace

RuinResult RuinAndRecreate(const PackingTables& tables, PatternPool& pool,
                           const RuinRequest& request) {
  return Rounds(tables, pool, request).Run();
}

}  // namespace mete
