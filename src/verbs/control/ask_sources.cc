#include "control/ask_sources.h"

#include <string>
#include <thread>

namespace mete {
namespace {

// Each rule has one selector, and a second one if it divides.
std::vector<std::string> CollectSelectors(const SloRules& rules) {
  std::vector<std::string> selectors;
  for (const SloRule& rule : rules.rules) {
    selectors.push_back(rule.series);
    if (!rule.divided_by.empty()) selectors.push_back(rule.divided_by);
  }
  return selectors;
}

}  // namespace

Status CheckSelectors(const SloRules& rules, const SeriesSources& sources) {
  for (const SloRule& rule : rules.rules) {
    for (const auto& source : sources) {
      RETURN_IF_ERROR(source->Check(rule.series).While(rule.name + ": series"));
      if (rule.divided_by.empty()) continue;
      RETURN_IF_ERROR(
          source->Check(rule.divided_by).While(rule.name + ": divided_by"));
    }
  }
  return {};
}

std::vector<std::vector<SourceAnswer>> AskSources(const SloRules& rules,
                                                  SeriesSources& sources,
                                                  std::stop_token stop) {
  const std::vector<std::string> selectors = CollectSelectors(rules);
  std::vector<std::vector<Result<SeriesValues>>> said(sources.size());
  {
    std::vector<std::jthread> threads;
    for (size_t i = 1; i < sources.size(); ++i) {
      threads.emplace_back(
          [&, i] { said[i] = sources[i]->Ask(selectors, stop); });
    }
    if (!sources.empty()) said[0] = sources[0]->Ask(selectors, stop);
  }
  std::vector<std::vector<SourceAnswer>> answers;
  size_t next = 0;
  for (const SloRule& rule : rules.rules) {
    const bool divides = !rule.divided_by.empty();
    std::vector<SourceAnswer>& of_rule = answers.emplace_back();
    for (size_t i = 0; i < sources.size(); ++i) {
      SourceAnswer answer{.source = sources[i]->name(),
                          .series = said[i][next]};
      if (divides) answer.divisor = said[i][next + 1];
      of_rule.push_back(std::move(answer));
    }
    next += divides ? 2 : 1;
  }
  return answers;
}

}  // namespace mete
