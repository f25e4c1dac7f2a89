#include "domain/run.h"

namespace mete {

uint64_t Run::iterations() const {
  return network() != nullptr ? network()->iterations : 1;
}

Verdict Run::verdict() const {
  if (network() != nullptr) return network()->verdict;
  return {.kind = VerdictKind::kTooFewSamples,
          .explanation = "one execution has no interval"};
}

const ApplicationDetails* Run::process() const {
  if (application() != nullptr) return application();
  const auto& process = network()->process;
  return process ? &*process : nullptr;
}

}  // namespace mete
