#include "optimize/part_search.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "support/random.h"

namespace mete {
namespace {

constexpr size_t kMostRuined = 4;    // bins in one move
constexpr size_t kCandidates = 10;   // waiting items tried in one move
constexpr size_t kAskTheTime = 256;  // moves between looks at the clock

// Units that were taken out, or that could be put in.
struct Loose {
  size_t item = 0;
  int units = 0;
  bool required = false;  // they must find a place
  double key = 0;
};

// One call of SearchPartOfBins.
class PartSearch {
 public:
  PartSearch(const PackingTables& tables, SearchPart part,
             const PartRequest& request)
      : tables_(tables),
        request_(request),
        part_(std::move(part)),
        random_(request.seed),
        units_here_(tables.size()),
        waiting_at_(tables.size()) {
    for (const BinState& bin : part_.bins) {
      for (const Units& u : bin.contents()) units_here_[u.item] += u.count;
    }
    for (size_t k = 0; k < part_.waiting.size(); ++k) {
      waiting_at_[part_.waiting[k]] = k;
    }
    saved_.assign(kMostRuined, BinState(tables, 0));
  }

  PartResult Run() && {
    result_.best = part_;
    double cooling = std::log(request_.cold / request_.hot);
    double moves = static_cast<double>(std::max<size_t>(1, request_.moves));
    for (size_t move = 0; move < request_.moves && !part_.bins.empty();
         ++move) {
      if (move % kAskTheTime == 0 && request_.limits.Over()) {
        result_.cut_short = true;
        break;
      }
      temperature_ =
          request_.hot * std::exp(cooling * static_cast<double>(move) / moves);
      Move();
    }
    result_.last = std::move(part_);
    return std::move(result_);
  }

 private:
  BinState& Chosen(size_t k) { return part_.bins[chosen_[k]]; }

  void Move() {
    ChooseBins();
    double before = 0;
    for (size_t k = 0; k < chosen_.size(); ++k) {
      saved_[k] = Chosen(k);
      before -= Chosen(k).cost();
    }
    Ruin();
    for (const Loose& loose : loose_) {
      if (!loose.required) before += tables_.item(loose.item).score;
    }
    AddWaiting();
    Order();
    double after = 0;
    bool whole = Recreate(after);
    for (size_t k = 0; k < chosen_.size(); ++k) after -= Chosen(k).cost();
    if (whole && Accepts(after - before)) {
      Accept(after - before);
    } else {
      for (size_t k = 0; k < chosen_.size(); ++k) Chosen(k) = saved_[k];
    }
  }

  void ChooseBins() {
    chosen_.clear();
    target_ = tables_.size();
    size_t bins = part_.bins.size();
    size_t first = random_.Below(bins);
    // Now and then all bins of an item, so that it can be taken out as a whole.
    if (random_.Below(4) == 0 && !part_.bins[first].empty()) {
      const auto& contents = part_.bins[first].contents();
      target_ = contents[random_.Below(contents.size())].item;
      for (size_t b = 0; b < bins && chosen_.size() < kMostRuined; ++b) {
        if (part_.bins[b].CountOf(target_) > 0) chosen_.push_back(b);
      }
    } else {
      chosen_.push_back(first);
    }
    size_t wanted = std::min(bins, size_t{random_.Below(3) == 0 ? 3u : 2u});
    while (chosen_.size() < wanted) {
      size_t b = random_.Below(bins);
      if (std::ranges::find(chosen_, b) == chosen_.end()) chosen_.push_back(b);
    }
  }

  // Takes units out of the chosen bins.
  void Ruin() {
    constexpr double kShares[] = {0.1, 0.2, 0.35, 0.6, 1.0};
    double share = kShares[random_.Below(std::size(kShares))];
    loose_.clear();
    for (size_t k = 0; k < chosen_.size(); ++k) {
      kept_.clear();
      for (const Units& u : Chosen(k).contents()) {
        if (u.item == target_ || random_.Uniform() < share) {
          TakeOut(u);
        } else {
          kept_.push_back(u);
        }
      }
      Chosen(k).Clear();
      for (const Units& u : kept_) Chosen(k).Add(u);
    }
    for (Loose& loose : loose_) {
      // Units elsewhere need these, or are needed by them.
      loose.required = loose.units < tables_.item(loose.item).units;
    }
  }

  void TakeOut(const Units& units) {
    for (Loose& loose : loose_) {
      if (loose.item == units.item) {
        loose.units += units.count;
        return;
      }
    }
    loose_.push_back({.item = units.item, .units = units.count});
  }

  void AddWaiting() {
    size_t waiting = part_.waiting.size();
    size_t tries = std::min(waiting, kCandidates);
    for (size_t t = 0; t < tries; ++t) {
      size_t item = waiting <= kCandidates
                        ? part_.waiting[t]
                        : part_.waiting[random_.Below(waiting)];
      bool twice = std::ranges::any_of(
          loose_, [&](const Loose& loose) { return loose.item == item; });
      if (twice) continue;
      loose_.push_back({.item = item, .units = tables_.item(item).units});
    }
  }

  void Order() {
    uint64_t kind = random_.Below(8);
    for (Loose& loose : loose_) {
      double noise = random_.Uniform();
      if (kind == 0) {
        loose.key = noise;
      } else if (kind == 1) {
        loose.key = tables_.item(loose.item).score * (0.5 + noise);
      } else {
        loose.key = (*request_.keys)[loose.item] * (0.7 + 0.6 * noise);
      }
      if (loose.required) loose.key += 1e12;
    }
    std::ranges::sort(loose_, [](const Loose& a, const Loose& b) {
      return a.key != b.key ? a.key > b.key : a.item < b.item;
    });
  }

  // Puts back what fits and adds the scores to `gain`. Returns false if units
  // that are required find no place.
  bool Recreate(double& gain) {
    order_ = chosen_;
    Shuffle(order_, random_);
    bool first_fit = random_.Below(2) == 0;
    for (Loose& loose : loose_) {
      if (!first_fit) {
        std::ranges::stable_sort(order_, [&](size_t a, size_t b) {
          return part_.bins[a].Fullness() > part_.bins[b].Fullness();
        });
      }
      bool placed = Insert(loose);
      if (!placed && loose.required) return false;
      if (placed && !loose.required) gain += tables_.item(loose.item).score;
      if (!placed) loose.units = 0;
    }
    return true;
  }

  bool Insert(const Loose& loose) {
    int left = loose.units;
    int fits[kMostRuined] = {};
    double cost = 0;
    for (size_t k = 0; k < order_.size() && left > 0; ++k) {
      const BinState& bin = part_.bins[order_[k]];
      fits[k] = bin.MostThatFit({loose.item, left});
      ++result_.evaluations;
      if (fits[k] > 0) cost += bin.ExtraCost({loose.item, fits[k]});
      left -= fits[k];
    }
    if (left > 0) return false;
    if (!loose.required && cost >= tables_.item(loose.item).score) return false;
    for (size_t k = 0; k < order_.size(); ++k) {
      if (fits[k] > 0) part_.bins[order_[k]].Add({loose.item, fits[k]});
    }
    return true;
  }

  bool Accepts(double delta) {
    if (delta >= 0) return true;
    return random_.Uniform() < std::exp(delta / temperature_);
  }

  void Accept(double delta) {
    for (const Loose& loose : loose_) {
      if (loose.required) continue;
      bool waited = units_here_[loose.item] == 0;
      bool placed = loose.units > 0;
      if (waited == !placed) continue;
      if (placed) {
        StopWaiting(loose.item);
      } else {
        waiting_at_[loose.item] = part_.waiting.size();
        part_.waiting.push_back(loose.item);
      }
      units_here_[loose.item] = placed ? tables_.item(loose.item).units : 0;
    }
    result_.last_gain += delta;
    if (delta != 0) Remember();
    if (result_.last_gain > result_.best_gain + 1e-9) {
      result_.best_gain = result_.last_gain;
      result_.best = part_;
    }
  }

  void StopWaiting(size_t item) {
    size_t place = waiting_at_[item];
    size_t last = part_.waiting.back();
    part_.waiting[place] = last;
    waiting_at_[last] = place;
    part_.waiting.pop_back();
  }

  // The latest contents replace the oldest ones.
  void Remember() {
    if (request_.most_patterns == 0) return;
    for (size_t b : chosen_) {
      if (part_.bins[b].empty()) continue;
      if (result_.visited.size() < request_.most_patterns) {
        result_.visited.push_back(part_.bins[b].ToPattern());
      } else {
        result_.visited[oldest_++ % request_.most_patterns] =
            part_.bins[b].ToPattern();
      }
    }
  }

  const PackingTables& tables_;
  const PartRequest& request_;
  SearchPart part_;
  Random random_;
  std::vector<int> units_here_;     // of each item
  std::vector<size_t> waiting_at_;  // place of an item in part_.waiting
  std::vector<size_t> chosen_;      // bins of the current move
  std::vector<size_t> order_;       // the same, in the order of insertion
  std::vector<BinState> saved_;     // as they were
  std::vector<Units> kept_;
  std::vector<Loose> loose_;
  size_t target_ = 0;
  size_t oldest_ = 0;
  double temperature_ = 1;
  PartResult result_;
};

}  // namespace

PartResult SearchPartOfBins(const PackingTables& tables, SearchPart part,
                            const PartRequest& request) {
  return PartSearch(tables, std::move(part), request).Run();
}

}  // namespace mete
