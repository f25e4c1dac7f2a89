#include "domain/run_words.h"

#include <algorithm>

#include "domain/run_json.h"

namespace mete {
namespace {

std::string Spaced(std::string_view name) {
  std::string words(name);
  std::ranges::replace(words, '_', ' ');
  return words;
}

}  // namespace

std::string ToWords(OutcomeKind outcome) { return Spaced(ToString(outcome)); }

std::string ToWords(VerdictKind verdict) { return Spaced(ToString(verdict)); }

std::string ToWords(const Run& run) {
  bool judged = run.outcome.kind == OutcomeKind::kCompleted && run.network();
  return judged ? ToWords(run.verdict().kind) : ToWords(run.outcome.kind);
}

}  // namespace mete
