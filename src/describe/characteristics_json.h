// Characteristics as JSON; docs/internals/characteristics.md lists the keys.
#pragma once

#include "domain/characteristics.h"
#include "support/json.h"

namespace mete {

// Absent figures have no key; "notes" says why. "layers" is there when the
// characteristics hold layers.
Json ToJson(const Characteristics& described);

}  // namespace mete
