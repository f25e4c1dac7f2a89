// The annotation mete.dev/profile: one versioned JSON document.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "support/json_fwd.h"
#include "watch/analyze_usage.h"
#include "watch/suggest_trial.h"
#include "watch/watch_config.h"

namespace mete {

inline constexpr int kProfileVersion = 1;

// The analysis of a node or pod, and of the GPUs of a node by their index.
// Contains nothing that changes only because time passes. Numbers have four
// significant digits. docs/reference/watch.md describes the keys.
struct ProfileSource {
  const WatchConfig& config;
  SubjectKind of;
  const SubjectAnalysis* analysis = nullptr;  // null: not measured
  std::map<std::string, const SubjectAnalysis*> gpus{};
  std::optional<TrialSuggestion> trial{};
};
Json ProfileToJson(const ProfileSource& source);

}  // namespace mete
