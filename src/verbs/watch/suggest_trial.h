// Suggests a trial where measurements alone cannot tell what a pod needs.
#pragma once

#include <optional>
#include <string>

#include "domain/cluster_object.h"
#include "watch/analyze_usage.h"

namespace mete {

// A question that `mete trial` answers. Nothing starts it but a person.
struct TrialSuggestion {
  std::string reason;   // "used 2.0 of the 2 CPUs that it may use"
  std::string command;  // "mete trial --launcher kubernetes --image …"
};

// A pod that runs into its own limit uses no more than the limit, so how much
// it would use is not known. `largest` is what the largest node offers: more is
// not suggested. Absent if nothing is uncertain, for several containers (a
// trial starts one), and for an image whose name a shell could misread: anybody
// who may create pods chooses it, and people copy the command.
std::optional<TrialSuggestion> SuggestTrial(const PodObject& pod,
                                            const SubjectAnalysis& analysis,
                                            const ResourceAmounts& largest);

}  // namespace mete
