// Queries all sources for the series of all rules.
#pragma once

#include <memory>
#include <stop_token>
#include <vector>

#include "control/rule_reading.h"
#include "control/slo_rules.h"
#include "ports/series_source.h"

namespace mete {

// The agents, or the Prometheus server, that the rules read from.
using SeriesSources = std::vector<std::unique_ptr<SeriesSource>>;

// Fails with kInvalidInput when a source does not support a rule's selector.
Status CheckSelectors(const SloRules& rules, const SeriesSources& sources);

// The current answers of all sources to each rule, in the order of the rules.
// Sources are queried concurrently, so that an unresponsive one costs its
// deadline only once.
std::vector<std::vector<SourceAnswer>> AskSources(const SloRules& rules,
                                                  SeriesSources& sources,
                                                  std::stop_token stop);

}  // namespace mete
