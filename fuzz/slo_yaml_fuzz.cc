// Reads arbitrary text as the rules of the controller. Accepted rules must have
// an action and an objective that no value both violates and clears.
#include "control/slo_yaml.h"
#include "fuzz/input.h"
#include "support/check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  auto rules = mete::ParseSloRules(std::string(fuzz::ToText(bytes, size)),
                                   "/etc/slo.yaml");
  if (!rules.ok()) return 0;
  CHECK(rules->every.count() > 0);
  CHECK(rules->agents.empty() != rules->prometheus.empty());
  for (const mete::SloRule& rule : rules->rules) {
    CHECK(!rule.name.empty() && !rule.actions.empty());
    CHECK(!rule.objective.Text().empty());
    for (double value : {-1e300, 0.0, 0.5, 1e300, rule.objective.clear,
                         rule.objective.bound.value}) {
      CHECK(!rule.objective.ViolatedBy(value) ||
            !rule.objective.ClearedBy(value));
    }
    for (const mete::ControlAction& action : rule.actions) {
      CHECK(!mete::FormatAction(action).empty());
    }
  }
  return 0;
}
