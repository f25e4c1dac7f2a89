#include "gpu_packing/residual_policy.h"

#include <algorithm>
#include <set>

#include "gpu_packing/even_fill.h"
#include "gpu_packing/gpu_prices.h"
#include "gpu_packing/residual_worth.h"
#include "gpu_packing/score_cache.h"
#include "gpu_packing/type_reserve.h"

namespace mete {
namespace {

// Shapes beyond these are too rare to matter for EvenFill.
constexpr double kEvenFillPopularity = 0.95;
// A policy that learns computes its prices after this many pods, and again
// whenever their number has doubled.
constexpr double kFirstFit = 16;

std::vector<PodShare> SharesOf(const PodMix& mix) {
  std::vector<PodShare> shares;
  for (const auto& [shape, count] : mix.counts()) {
    shares.push_back({.shape = shape, .share = count / mix.total()});
  }
  return shares;
}

std::vector<GpuTypes> TypesOf(std::span<const FreeNode> nodes) {
  std::set<GpuTypes> types;
  for (const FreeNode& node : nodes) types.insert(node.type);
  return {types.begin(), types.end()};
}

// Rates a placement by what it takes away.
class LossScore : public NodeScore {
 public:
  LossScore(ResidualWorth worth, EvenFill fill, double fill_weight)
      : worth_(std::move(worth)),
        fill_(std::move(fill)),
        fill_weight_(fill_weight) {}

  ScoredGpus Rate(std::span<const FreeNode> nodes, size_t index,
                  const PodShape& pod) override {
    const FreeNode& node = nodes[index];
    const Known& known = Know(nodes, index);
    if (!pod.shares()) return RateOn(node, known, pod, TightGpus(node, pod));
    ScoredGpus best{.score = kDoesNotFit};
    for (int i = 0; i < node.gpus; ++i) {
      if (node.gpu_milli[static_cast<size_t>(i)] < pod.gpu_milli ||
          SameAsBefore(node, i)) {
        continue;
      }
      const ScoredGpus rated = RateOn(node, known, pod, GpuSet::One(i));
      if (rated.score > best.score) best = rated;
    }
    return best;
  }

  void Changed(size_t node) override {
    if (node < known_.size()) known_[node].reset();
  }

 private:
  // What does not depend on the pod.
  struct Known {
    PerPrice gpus{};
    EvenFill::Counts counts;
    double worth = 0;
  };

  static bool SameAsBefore(const FreeNode& node, int gpu) {
    const auto end = node.gpu_milli.begin() + gpu;
    return std::find(node.gpu_milli.begin(), end, *end) != end;
  }

  const Known& Know(std::span<const FreeNode> nodes, size_t index) {
    known_.resize(nodes.size());
    std::optional<Known>& known = known_[index];
    if (!known) {
      const FreeNode& node = nodes[index];
      known =
          Known{.gpus = worth_.OfGpus(node), .counts = fill_.CountsOf(node)};
      known->worth = worth_.Of(known->gpus, node) +
                     fill_weight_ * fill_.Of(node, known->counts);
    }
    return *known;
  }

  ScoredGpus RateOn(const FreeNode& node, const Known& known,
                    const PodShape& pod, GpuSet gpus) const {
    const double after =
        worth_.After(node, known.gpus, pod, gpus) +
        fill_weight_ * fill_.After(node, known.counts, pod, gpus);
    return {.score = after - known.worth, .gpus = gpus};
  }

  ResidualWorth worth_;
  EvenFill fill_;
  double fill_weight_;
  std::vector<std::optional<Known>> known_;
};

// The policy for one mix: its prices, scores and reserves.
class FittedPolicy {
 public:
  // `empty` are the nodes without pods, `nodes` their current state.
  static Result<std::unique_ptr<FittedPolicy>> Fit(
      const PodMix& mix, std::span<const FreeNode> empty,
      std::span<const FreeNode> nodes, const ResidualPolicySettings& settings) {
    const std::vector<PodShare> shares = SharesOf(mix);
    ASSIGN_OR_RETURN(
        std::vector<PricedShape> priced,
        PriceShapes(empty, {.mix = shares, .level = settings.demand_level}));
    const std::vector<GpuTypes> types = TypesOf(empty);
    const int unit = GpuUnit(shares);
    const std::vector<PodShare> frequent =
        MergeByGpus(TypicalPods(mix, kEvenFillPopularity));
    LossScore score(ResidualWorth(priced, types, unit),
                    EvenFill(frequent, types, unit), settings.even_fill_weight);
    return std::unique_ptr<FittedPolicy>(new FittedPolicy(
        std::move(score), HostReserve(shares, empty, nodes, settings.reserve),
        TypeReserve(shares, nodes, settings.reserve)));
  }

  std::optional<GpuPlacing> Choose(std::span<const FreeNode> nodes,
                                   const PodShape& pod) {
    const std::span<const ScoredGpus> scores = cache_.Scores(nodes, pod);
    const Avoid avoid{.hosts = hosts_.Scarce(pod), .types = types_.Scarce(pod)};
    std::optional<GpuPlacing> best = Best(nodes, pod, scores, avoid);
    // A reserve is no reason to reject a pod.
    if (!best && avoid.types != 0) {
      best = Best(nodes, pod, scores, {.hosts = avoid.hosts});
    }
    if (!best && avoid.hosts != 0) best = Best(nodes, pod, scores, {});
    if (best) {
      hosts_.Place(nodes, best->node, pod, best->gpus);
      types_.Place(nodes[best->node], pod);
      cache_.Changed(best->node);
    }
    return best;
  }

 private:
  // What should be left to other pods.
  struct Avoid {
    uint64_t hosts = 0;  // as from HostReserve
    GpuTypes types = 0;
  };

  FittedPolicy(LossScore score, HostReserve hosts, TypeReserve types)
      : score_(std::move(score)),
        cache_(score_),
        hosts_(std::move(hosts)),
        types_(std::move(types)) {}

  std::optional<GpuPlacing> Best(std::span<const FreeNode> nodes,
                                 const PodShape& pod,
                                 std::span<const ScoredGpus> scores,
                                 const Avoid& avoid) const {
    std::optional<GpuPlacing> best;
    double highest = kDoesNotFit;
    for (size_t i = 0; i < scores.size(); ++i) {
      if (scores[i].score <= highest || (nodes[i].type & avoid.types) != 0 ||
          hosts_.Breaks(avoid.hosts, nodes, i, pod, scores[i].gpus)) {
        continue;
      }
      highest = scores[i].score;
      best = GpuPlacing{.node = i, .gpus = scores[i].gpus};
    }
    return best;
  }

  LossScore score_;
  ScoreCache cache_;  // borrows score_
  HostReserve hosts_;
  TypeReserve types_;
};

class ChooseByResidualWorth : public GpuPolicy {
 public:
  explicit ChooseByResidualWorth(const ResidualPolicyRequest& request)
      : settings_(request.settings),
        empty_(request.nodes.begin(), request.nodes.end()),
        learns_(!request.mix),
        mix_(request.mix.value_or(PodMix{})) {}

  // With an empty mix, every node is equally good.
  Status Fit(std::span<const FreeNode> nodes) {
    if (learns_) settings_.reserve.sample = mix_.total();
    ASSIGN_OR_RETURN(fitted_,
                     FittedPolicy::Fit(mix_, empty_, nodes, settings_));
    return {};
  }

  std::optional<GpuPlacing> Choose(std::span<const FreeNode> nodes,
                                   const PodShape& pod) override {
    if (learns_) {
      mix_.Add(pod);
      if (mix_.total() >= next_fit_) {
        next_fit_ = 2 * mix_.total();
        // Without new prices the old ones still serve.
        (void)Fit(nodes);
      }
    }
    return fitted_->Choose(nodes, pod);
  }

 private:
  ResidualPolicySettings settings_;
  std::vector<FreeNode> empty_;
  bool learns_;
  PodMix mix_;
  double next_fit_ = kFirstFit;
  std::unique_ptr<FittedPolicy> fitted_;
};

}  // namespace

Result<std::unique_ptr<GpuPolicy>> ResidualPolicy(
    const ResidualPolicyRequest& request) {
  auto policy = std::make_unique<ChooseByResidualWorth>(request);
  RETURN_IF_ERROR(policy->Fit(request.nodes));
  return std::unique_ptr<GpuPolicy>(std::move(policy));
}

}  // namespace mete
