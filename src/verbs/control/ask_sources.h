// Asks everybody who may know for the series of all rules, at once.
#pragma once

#include <memory>
#include <stop_token>
#include <vector>

#include "control/rule_reading.h"
#include "control/slo_rules.h"
#include "ports/series_source.h"

namespace mete {

using SeriesSources = std::vector<std::unique_ptr<SeriesSource>>;

// Fails with kInvalidInput when a source will not understand a rule's series.
Status CheckSelectors(const SloRules& rules, const SeriesSources& sources);

// What all sources say now about each rule, in their order. Sources are asked
// at once, so that a silent one costs its deadline only once.
std::vector<std::vector<SourceAnswer>> AskSources(const SloRules& rules,
                                                  SeriesSources& sources,
                                                  std::stop_token stop);

}  // namespace mete
