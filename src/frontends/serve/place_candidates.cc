#include "serve/place_candidates.h"

#include <algorithm>

namespace mete {
namespace {

PlaceCandidate ToCandidate(const DeviceAnswer& answer, const ClusterNode& node,
                           const std::vector<LocalPlace>& places) {
  PlaceCandidate candidate{.device = node.name,
                           .emulated = node.emulated,
                           .fits_memory = answer.fits_memory,
                           .notes = answer.reasons};
  if (answer.estimate) {
    candidate.value = answer.estimate->value;
    candidate.low = answer.estimate->low;
    candidate.high = answer.estimate->high;
  }
  auto local = std::ranges::find(places, node.name, &LocalPlace::device);
  if (local == places.end()) return candidate;
  candidate.reachable = true;
  candidate.limits = local->limits;
  candidate.threads = local->threads;
  return candidate;
}

}  // namespace

CandidateRanking ToCandidates(const Answers& answers,
                              const std::vector<LocalPlace>& places) {
  CandidateRanking candidates{
      .unit = answers.objective == Objective::kEnergy ? "J" : "s"};
  if (answers.networks.empty()) return candidates;
  const Ranking& ranking = answers.networks.front().ranking;
  candidates.tied = ranking.tied;
  for (const DeviceAnswer& answer : ranking.devices) {
    candidates.candidates.push_back(
        ToCandidate(answer, answers.nodes.nodes[answer.node], places));
  }
  for (const LocalPlace& place : places) {
    if (std::ranges::find(candidates.candidates, place.device,
                          &PlaceCandidate::device) ==
        candidates.candidates.end()) {
      candidates.others.push_back(place);
    }
  }
  return candidates;
}

}  // namespace mete
