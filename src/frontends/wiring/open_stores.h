// Chooses the adapter of a store by the scheme of its URL.
#pragma once

#include <string>

#include "ports/stores.h"
#include "support/result.h"

namespace mete {

// Opens nothing yet; see Stores. Fails with kUnsupported, naming the forms of
// a URL that are valid, when no adapter has the scheme.
Result<Stores> OpenStores(const std::string& url);

}  // namespace mete
