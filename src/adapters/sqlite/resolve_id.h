// Ids as people type them: whole, or an unambiguous beginning.
#pragma once

#include <string>

#include "adapters/sqlite/database.h"
#include "support/result.h"

namespace mete {

// The table whose column `id` is looked at, and what a row of it is called.
struct IdSpace {
  std::string table;
  std::string noun;
};

// The whole id. Fails with kNotFound, or kInvalidInput naming up to five
// candidates.
Result<std::string> ResolveId(Database& database, const IdSpace& space,
                              const std::string& beginning);

}  // namespace mete
