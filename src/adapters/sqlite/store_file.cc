#include "adapters/sqlite/store_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

#include <cerrno>

#include "adapters/sqlite/migrations.h"
#include "support/descriptor.h"
#include "support/private_folder.h"

namespace mete {
namespace {

// SQLite would create the file by the umask; its journal files inherit the mode
// of an existing one. An existing file is not opened here: closing a descriptor
// of it would drop the locks that another store of this process holds on it.
Status CreatePrivateFile(const std::filesystem::path& file) {
  Descriptor made(open(file.c_str(),
                       O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, 0600));
  if (made.open()) return {};
  if (errno == EEXIST && access(file.c_str(), W_OK) == 0) return {};
  if (errno == EACCES || errno == EROFS) {
    return DatabaseError(SQLITE_READONLY, file, "");
  }
  return SystemError("open store " + file.string(), errno);
}

// Only the first process switches the mode; it is stored in the file. SQLite
// does not wait for a lock here, so we do.
Status UseWriteAheadLog(Database& database,
                        std::chrono::milliseconds patience) {
  constexpr std::chrono::milliseconds kPause{5};
  while (true) {
    auto mode = database.QueryText("PRAGMA journal_mode = WAL");
    if (mode.ok() && *mode == "wal") return {};
    if (mode.ok()) {
      return Unavailable(fmt::format(
          "store {}: this file system cannot share memory between processes; "
          "use a file on a local disk",
          database.file().string()));
    }
    if (!database.Busy() || patience <= kPause) return mode.error();
    sqlite3_sleep(static_cast<int>(kPause.count()));
    patience -= kPause;
  }
}

}  // namespace

Result<Database> OpenStoreFile(const SqliteStoreRequest& request) {
  if (request.path.empty()) return InvalidInput("open store: no file given");
  RETURN_IF_ERROR(MakePrivateFolder(request.path.parent_path()));
  RETURN_IF_ERROR(CreatePrivateFile(request.path));
  ASSIGN_OR_RETURN(Database database,
                   Database::Open(request.path, request.patience));
  RETURN_IF_ERROR(database.Execute("PRAGMA foreign_keys = ON"));
  RETURN_IF_ERROR(database.Execute("PRAGMA synchronous = FULL"));
  RETURN_IF_ERROR(Migrate(database, StoreMigrations()));
  RETURN_IF_ERROR(UseWriteAheadLog(database, request.patience));
  return database;
}

}  // namespace mete
