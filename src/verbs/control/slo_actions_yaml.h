// Reads the actions of a rule from slo.yaml.
#pragma once

#include <vector>

#include "control/slo_rules.h"
#include "support/yaml.h"

namespace mete {

// A list of actions, or one: `log`, or a block with one key.
YamlTaker TakeActions(std::vector<ControlAction>& actions);

}  // namespace mete
