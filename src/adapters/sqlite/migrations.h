// The store's tables, and how an older file is brought up to date.
#pragma once

#include <span>
#include <string_view>

#include "adapters/sqlite/database.h"
#include "support/result.h"

namespace mete {

// Entry N takes a store from version N to N + 1. Entries are never changed
// once released: a new version is a new entry.
std::span<const std::string_view> StoreMigrations();

// Brings the file to the newest version, one transaction a step; of two
// processes that start at once, one does the work and the other finds it
// done. A file that is not empty must be a store of ours: fails with
// kInvalidInput on someone else's database and with kUnsupported on a store
// written by a newer mete.
Status Migrate(Database& database,
               std::span<const std::string_view> migrations);

}  // namespace mete
