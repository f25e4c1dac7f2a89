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
  if (made.open() || errno == EEXIST) return {};
  if (errno == EACCES || errno == EROFS) {
    return DatabaseError(SQLITE_READONLY, file, "");
  }
  return SystemError("open store " + file.string(), errno);
}

// Whether SQLite can write: it also creates files beside this one.
bool CanWrite(const std::filesystem::path& file) {
  std::filesystem::path folder = file.parent_path();
  if (folder.empty()) folder = ".";
  return access(file.c_str(), W_OK) == 0 && access(folder.c_str(), W_OK) == 0;
}

// Whether the file beside the store has content. False if there is none.
bool HasContent(const std::filesystem::path& file) {
  std::error_code error;
  auto size = std::filesystem::file_size(file, error);
  return !error && size > 0;
}

// With the files of a writer beside it, living or killed, SQLite reads the
// store together with that writer's log, under the usual locks. Without them,
// it would have to create them, and nobody is writing: then it may read the
// file as one that does not change. A writer that starts within the
// milliseconds of our reading is not noticed; that is the price of reading
// where nothing can be locked. Changes that only a log has are never left out
// silently.
Result<Database> OpenForReading(const SqliteStoreRequest& request) {
  const std::string name = request.path.string();
  std::error_code error;
  const bool shared = std::filesystem::exists(name + "-wal", error) &&
                      std::filesystem::exists(name + "-shm", error);
  for (const std::string& log : {name + "-wal", name + "-journal"}) {
    if (shared || !HasContent(log)) continue;
    return Error(ErrorCode::kPermissionDenied,
                 fmt::format("store {}: {} has changes that cannot be read "
                             "from a read-only folder; copy both files to one "
                             "that can be written",
                             name, log));
  }
  ASSIGN_OR_RETURN(Database database,
                   Database::Open(request.path, request.patience,
                                  shared ? DatabaseAccess::kRead
                                         : DatabaseAccess::kReadUnchanging));
  RETURN_IF_ERROR(CheckMigrated(database, StoreMigrations()));
  return database;
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
  if (!CanWrite(request.path)) return OpenForReading(request);
  ASSIGN_OR_RETURN(Database database,
                   Database::Open(request.path, request.patience));
  RETURN_IF_ERROR(database.Execute("PRAGMA foreign_keys = ON"));
  RETURN_IF_ERROR(database.Execute("PRAGMA synchronous = FULL"));
  RETURN_IF_ERROR(Migrate(database, StoreMigrations()));
  RETURN_IF_ERROR(UseWriteAheadLog(database, request.patience));
  return database;
}

}  // namespace mete
