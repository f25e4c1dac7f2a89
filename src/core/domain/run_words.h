// The words for people that say how a run ended and whether its numbers can be
// trusted. Every table, message and page uses these.
#pragma once

#include <array>
#include <string>

#include "domain/run.h"

namespace mete {

// All outcomes and verdicts, in the order of their enumerations.
inline constexpr std::array<OutcomeKind, 7> kOutcomes = {
    OutcomeKind::kCompleted,  OutcomeKind::kFailed,  OutcomeKind::kOutOfMemory,
    OutcomeKind::kTimedOut,   OutcomeKind::kCrashed, OutcomeKind::kRejected,
    OutcomeKind::kInterrupted};
inline constexpr std::array<VerdictKind, 5> kVerdicts = {
    VerdictKind::kStable, VerdictKind::kDrifting, VerdictKind::kBimodal,
    VerdictKind::kNotConverged, VerdictKind::kTooFewSamples};

// The name in JSON with spaces: "out of memory", "not converged".
std::string ToWords(OutcomeKind outcome);
std::string ToWords(VerdictKind verdict);

// One judgement of a run: the outcome unless it completed, else the verdict of
// a network, else "completed".
std::string ToWords(const Run& run);

}  // namespace mete
