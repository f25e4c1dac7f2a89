// Resolves ids as typed by people: complete, or an unambiguous prefix.
#pragma once

#include <string>

#include "adapters/sqlite/database.h"
#include "support/result.h"

namespace mete {

// The table whose column `id` is searched, and a noun for its rows.
struct IdSpace {
  std::string table;
  std::string noun;
};

// The complete id. Fails with kNotFound, or with kInvalidInput and up to five
// candidates.
Result<std::string> ResolveId(Database& database, const IdSpace& space,
                              const std::string& beginning);

}  // namespace mete
