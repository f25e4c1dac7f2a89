// Converts characteristics to and from JSON. docs/internals/characteristics.md
// lists the keys.
#pragma once

#include "domain/characteristics.h"
#include "support/json_fwd.h"
#include "support/result.h"

namespace mete {

// Absent values have no key; "notes" says why. "layers" is present if the
// characteristics include layers.
Json ToJson(const Characteristics& described);

// The inverse, as far as predictions need it: counts, sizes, cost, memory and
// layers. Fails with kInvalidInput and names the key that is missing or wrong.
Result<Characteristics> CharacteristicsFromJson(const SortedJson& json);

}  // namespace mete
