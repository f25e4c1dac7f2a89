// Characteristics as JSON; docs/internals/characteristics.md lists the keys.
#pragma once

#include "domain/characteristics.h"
#include "support/json_fwd.h"
#include "support/result.h"

namespace mete {

// Absent figures have no key; "notes" says why. "layers" is there when the
// characteristics hold layers.
Json ToJson(const Characteristics& described);

// The opposite, as far as predictions need it: counts, sizes, cost, memory and
// layers. Fails with kInvalidInput and the key that is missing or wrong.
Result<Characteristics> CharacteristicsFromJson(const SortedJson& json);

}  // namespace mete
