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

AnalysisMemory::Levels AnalysisMemory::LevelsOf(const SeriesByName& series) {
  Levels levels;
  for (const auto& [name, one] : series) {
    if (one.values.empty()) continue;
    double sum = std::accumulate(one.values.begin(), one.values.end(), 0.0);
    levels[name] = {.mean = sum / static_cast<double>(one.values.size()),
                    .max = *std::ranges::max_element(one.values)};
  }
  return levels;
}

bool AnalysisMemory::Changed(const Levels& before, const Levels& now,
                             double tolerance) {
  if (now.size() != before.size()) return true;
  for (const auto& [name, level] : now) {
    auto old = before.find(name);
    if (old == before.end()) return true;
    double scale = std::max(std::abs(level.max), std::abs(old->second.max));
    double change = std::max(std::abs(level.max - old->second.max),
                             std::abs(level.mean - old->second.mean));
    if (change > tolerance * scale) return true;
  }
  return false;
}

std::optional<EarlierAnalysis> AnalysisMemory::Find(
    const std::string& subject, const SeriesByName& series, double now,
    const AnalysisMemoryRules& rules) const {
  const Levels levels = LevelsOf(series);
  std::lock_guard lock(mutex_);
  auto found = entries_.find(subject);
  if (found == entries_.end()) return std::nullopt;
  const Entry& entry = found->second;
  entry.used = true;
  return EarlierAnalysis{
      .analysis = entry.analysis,
      .analyzed_at = entry.analyzed_at,
      .due = now - entry.analyzed_at >= AgeFor(subject, rules.age) ||
             Changed(entry.levels, levels, rules.tolerance)};
}

void AnalysisMemory::Put(const std::string& subject, const SeriesByName& series,
                         double now,
                         std::shared_ptr<const SubjectAnalysis> analysis) {
  Entry entry{.analyzed_at = now,
              .levels = LevelsOf(series),
              .analysis = std::move(analysis)};
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
