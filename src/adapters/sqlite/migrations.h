// The tables of the store, and migration of older files.
#pragma once

#include <span>
#include <string_view>

#include "adapters/sqlite/database.h"
#include "support/result.h"

namespace mete {

// Entry N migrates a store from version N to N + 1. Released entries never
// change: a new version is a new entry.
std::span<const std::string_view> StoreMigrations();

// Migrates the file to the newest version, one transaction per step; if two
// processes start at once, one does the work and the other finds it done. A
// file that is not empty must be a store of mete: fails with kInvalidInput on
// another program's database and with kUnsupported on a store written by a
// newer mete.
Status Migrate(Database& database,
               std::span<const std::string_view> migrations);

// Checks a file that can only be read. Fails as Migrate does, and with
// kUnsupported when the file would have to be migrated.
Status CheckMigrated(Database& database,
                     std::span<const std::string_view> migrations);

}  // namespace mete
