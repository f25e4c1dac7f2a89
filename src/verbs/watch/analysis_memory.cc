#include "watch/analysis_memory.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace mete {
namespace {

// Between half and all of the age.
double AgeFor(const std::string& subject, Seconds age) {
  auto part = static_cast<double>(std::hash<std::string>()(subject) % 1000);
  return age.count() * (0.5 + part / 2000);
}

}  // namespace

std::map<std::string, AnalysisMemory::Level, std::less<>>
AnalysisMemory::Levels(const SeriesByName& series) {
  std::map<std::string, Level, std::less<>> levels;
  for (const auto& [name, one] : series) {
    if (one.values.empty()) continue;
    double sum = std::accumulate(one.values.begin(), one.values.end(), 0.0);
    levels[name] = {.mean = sum / static_cast<double>(one.values.size()),
                    .max = *std::ranges::max_element(one.values)};
  }
  return levels;
}

std::optional<SubjectAnalysis> AnalysisMemory::Find(
    const std::string& subject, const SeriesByName& series, double now,
    const AnalysisMemoryRules& rules) const {
  auto levels = Levels(series);
  std::lock_guard lock(mutex_);
  auto found = entries_.find(subject);
  if (found == entries_.end()) return std::nullopt;
  const Entry& entry = found->second;
  entry.used = true;
  if (now - entry.analyzed_at >= AgeFor(subject, rules.age) ||
      levels.size() != entry.levels.size()) {
    return std::nullopt;
  }
  for (const auto& [name, level] : levels) {
    auto before = entry.levels.find(name);
    if (before == entry.levels.end()) return std::nullopt;
    double scale = std::max(std::abs(level.max), std::abs(before->second.max));
    double change = std::max(std::abs(level.max - before->second.max),
                             std::abs(level.mean - before->second.mean));
    if (change > rules.tolerance * scale) return std::nullopt;
  }
  return entry.analysis;
}

void AnalysisMemory::Put(const std::string& subject, const SeriesByName& series,
                         double now, const SubjectAnalysis& analysis) {
  Entry entry{
      .analyzed_at = now, .levels = Levels(series), .analysis = analysis};
  std::lock_guard lock(mutex_);
  entries_.insert_or_assign(subject, std::move(entry));
}

void AnalysisMemory::Sweep() {
  std::lock_guard lock(mutex_);
  std::erase_if(entries_, [](auto& entry) {
    return !std::exchange(entry.second.used, false);
  });
}

}  // namespace mete
