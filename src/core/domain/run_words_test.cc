#include "domain/run_words.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "domain/run_json.h"

namespace mete {
namespace {

TEST(RunWords, EveryOutcomeAndVerdictHasExactlyOneWord) {
  // The last of each enumeration: a new one must be added to the lists.
  EXPECT_EQ(kOutcomes.size(),
            static_cast<size_t>(OutcomeKind::kInterrupted) + 1);
  EXPECT_EQ(kVerdicts.size(),
            static_cast<size_t>(VerdictKind::kTooFewSamples) + 1);
  std::set<std::string> words;
  auto check = [&](std::string_view name, std::string word) {
    EXPECT_TRUE(words.insert(word).second) << word;
    std::ranges::replace(word, ' ', '_');
    EXPECT_EQ(word, name);
  };
  for (OutcomeKind kind : kOutcomes) check(ToString(kind), ToWords(kind));
  for (VerdictKind kind : kVerdicts) check(ToString(kind), ToWords(kind));
  EXPECT_EQ(words.size(), 12u);
}

TEST(RunWords, AVerdictIsOnlyGivenOnACompletedNetwork) {
  mete::Run run;
  run.network()->verdict.kind = VerdictKind::kNotConverged;
  EXPECT_EQ(ToWords(run), "not converged");
  run.outcome.kind = OutcomeKind::kInterrupted;
  EXPECT_EQ(ToWords(run), "interrupted");
  mete::Run application;
  application.details = ApplicationDetails{};
  EXPECT_EQ(ToWords(application), "completed");
}

}  // namespace
}  // namespace mete
