// Chooses the adapter for a store by the scheme of its URL.
#pragma once

#include <string>

#include "ports/stores.h"
#include "support/result.h"

namespace mete {

// Opens nothing yet; see Stores. If no adapter has the scheme, fails with
// kUnsupported and lists the valid formats.
Result<Stores> OpenStores(const std::string& url);

}  // namespace mete
