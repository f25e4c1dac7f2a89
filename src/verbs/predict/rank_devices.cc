#include "predict/rank_devices.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "support/units.h"

namespace mete {
namespace {

// Null when the required predictor has not been trained.
const LatencyPredictor* Choose(const PredictorSet& predictors,
                               const NetworkQuestion& question,
                               Objective objective) {
  if (objective == Objective::kEnergy) {
    return question.traits ? predictors.energy.get() : nullptr;
  }
  bool whole = question.traits.has_value() && predictors.full != nullptr;
  return whole ? predictors.full.get() : predictors.counts.get();
}

const char* WhyNoPredictor(const PredictorSet& predictors,
                           Objective objective) {
  if (objective != Objective::kEnergy) return "there is no predictor for this";
  return predictors.energy ? "energy needs the layers of a network, not counts"
                           : "energy was not measured";
}

// Memory available to a run: what is free now or, if unknown, the total. Never
// more than an emulated device's limit.
std::optional<Bytes> UsableMemory(const ClusterNode& node) {
  std::optional<Bytes> memory = node.memory_available;
  if (!memory && node.facts.ram.count > 0) memory = node.facts.ram;
  if (node.limits && node.limits->memory) {
    memory =
        std::min(memory.value_or(*node.limits->memory), *node.limits->memory);
  }
  return memory;
}

// Malicious descriptions can add up to more bytes than any machine has.
Bytes ToBytes(double count) {
  return {static_cast<uint64_t>(std::clamp(count, 0.0, 1e18))};
}

void JudgeMemory(const NetworkTraits& traits, const ClusterNode& node,
                 DeviceAnswer& answer) {
  std::optional<Bytes> has = UsableMemory(node);
  if (!has) return;
  double needs = traits.weight_bytes + traits.peak_activation_bytes;
  answer.fits_memory = needs <= static_cast<double>(has->count);
  if (*answer.fits_memory) return;
  answer.reasons.push_back(fmt::format("needs {} of memory but has {}",
                                       FormatBytes(ToBytes(needs)),
                                       FormatBytes(*has)));
}

bool Sound(const Estimate& estimate) {
  return std::isfinite(estimate.value) && std::isfinite(estimate.low) &&
         std::isfinite(estimate.high);
}

// 0: candidate, 1: does not fit, 2: unknown.
int RankGroup(const DeviceAnswer& answer) {
  if (!answer.estimate) return 2;
  return answer.fits_memory.value_or(true) ? 0 : 1;
}

// Best first; equally good ones keep their order. Sorts indices instead of the
// answers, which are large.
void Sort(std::vector<DeviceAnswer>& devices) {
  struct Place {
    int group;
    double value;
    size_t at;
    auto operator<=>(const Place&) const = default;
  };
  std::vector<Place> places;
  places.reserve(devices.size());
  for (size_t at = 0; at < devices.size(); ++at) {
    const std::optional<Estimate>& estimate = devices[at].estimate;
    places.push_back(
        {RankGroup(devices[at]), estimate ? estimate->value : 0, at});
  }
  std::ranges::sort(places);
  std::vector<DeviceAnswer> sorted;
  sorted.reserve(devices.size());
  for (const Place& place : places) {
    sorted.push_back(std::move(devices[place.at]));
  }
  devices = std::move(sorted);
}

// Whether `behind` could be as good as `best`.
bool CannotDistinguish(const Estimate& best, const Estimate& behind) {
  if (best.ratio_radius && behind.ratio_radius) {
    return std::log(behind.value / best.value) <=
           std::max(*best.ratio_radius, *behind.ratio_radius);
  }
  return behind.low <= best.high;
}

size_t CountTied(const std::vector<DeviceAnswer>& devices) {
  size_t tied = 0;
  for (const DeviceAnswer& device : devices) {
    if (RankGroup(device) != 0) break;
    const Estimate& best = *devices.front().estimate;
    if (tied > 0 && !CannotDistinguish(best, *device.estimate)) break;
    ++tied;
  }
  return tied;
}

}  // namespace

Ranking RankDevices(const PredictorSet& predictors,
                    const NetworkQuestion& question,
                    const std::vector<ClusterNode>& nodes, Objective objective,
                    Detail detail) {
  const LatencyPredictor* predictor = Choose(predictors, question, objective);
  Ranking ranking;
  ranking.devices.resize(nodes.size());
  std::vector<const ClusterNode*> asked;
  std::vector<size_t> places;
  asked.reserve(nodes.size());
  places.reserve(nodes.size());
  for (size_t at = 0; at < nodes.size(); ++at) {
    DeviceAnswer& answer = ranking.devices[at];
    answer.node = at;
    if (question.traits) JudgeMemory(*question.traits, nodes[at], answer);
    if (nodes[at].unknown) {
      answer.reasons.push_back(*nodes[at].unknown);
    } else if (predictor == nullptr) {
      answer.reasons.emplace_back(WhyNoPredictor(predictors, objective));
    } else {
      asked.push_back(&nodes[at]);
      places.push_back(at);
    }
  }
  if (!asked.empty()) {
    std::vector<Estimate> estimates =
        predictor->Predict(question, asked, detail);
    CHECK(estimates.size() == asked.size()) << "expected one estimate per node";
    for (size_t i = 0; i < places.size(); ++i) {
      DeviceAnswer& answer = ranking.devices[places[i]];
      if (Sound(estimates[i])) {
        answer.estimate = std::move(estimates[i]);
        if (!answer.estimate->assumption.empty()) {
          answer.reasons.push_back(answer.estimate->assumption);
        }
      } else {
        answer.reasons.emplace_back("the predictor has no estimate for it");
      }
    }
  }
  Sort(ranking.devices);
  ranking.tied = CountTied(ranking.devices);
  return ranking;
}

}  // namespace mete
