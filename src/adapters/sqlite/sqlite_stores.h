// All stores in one SQLite file, by its URL.
#pragma once

#include <string>

#include "ports/stores.h"
#include "support/result.h"

namespace mete {

// The URL is sqlite:PATH. Touches no file until a store is opened. Fails with
// kInvalidInput when the URL has another form.
Result<Stores> OpenSqliteStores(const std::string& url);

}  // namespace mete
