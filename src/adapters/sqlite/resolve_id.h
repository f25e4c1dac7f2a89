// Resolves ids as typed by people: complete, or an unambiguous prefix.
#pragma once

#include <string>

#include "adapters/sqlite/database.h"
#include "support/result.h"

namespace mete {

// The table whose column `id` is searched, a noun for its rows, and the error
// for an id that it does not have.
struct IdSpace {
  std::string table;
  std::string noun;
  Error (*unknown)(const std::string& id);
};

// The complete id. Fails with kNotFound, or with kInvalidInput and up to five
// candidates.
Result<std::string> ResolveId(Database& database, const IdSpace& space,
                              const std::string& beginning);

}  // namespace mete
