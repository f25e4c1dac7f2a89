#include "adapters/sqlite/database.h"

#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

namespace mete {
namespace {

// The name of a file for sqlite3_open_v2 with SQLITE_OPEN_URI.
std::string ImmutableUrl(const std::filesystem::path& file) {
  std::string url = "file:";
  for (char c : std::filesystem::absolute(file).string()) {
    bool special = c == '%' || c == '?' || c == '#';
    url += special ? fmt::format("%{:02X}", static_cast<int>(c))
                   : std::string(1, c);
  }
  return url + "?immutable=1";
}

// The contents of a column as bytes; SQLite returns null for length 0.
template <typename T>
const T* OrEmpty(const void* content, const T* empty) {
  return content == nullptr ? empty : static_cast<const T*>(content);
}

}  // namespace

Error DatabaseError(int code, const std::filesystem::path& file,
                    const std::string& detail) {
  const std::string act = "store " + file.string() + ": ";
  switch (code & 0xff) {  // the low byte is the kind, the rest refines it
    case SQLITE_NOTADB:
      return Corrupt(act + "not a SQLite database; use another file");
    case SQLITE_CORRUPT:
      return Corrupt(act +
                     "damaged; move it away to start over, or try to recover "
                     "it with sqlite3 .recover");
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
      return Error(ErrorCode::kPermissionDenied,
                   act +
                       "read-only here; use a store that this user can write "
                       "to");
    case SQLITE_CANTOPEN:
      return Error(ErrorCode::kPermissionDenied,
                   act +
                       "cannot be opened; check that it is a file and that "
                       "its folder can be written");
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return Unavailable(act +
                         "locked by another process; try again when that one "
                         "is done");
    case SQLITE_FULL:
      return Unavailable(act + "disk full; free some space and try again");
    case SQLITE_IOERR:
      return Unavailable(act + "disk error (" + detail +
                         "); check the disk and its free space");
    default:
      return Unavailable(act + detail);
  }
}

void Statement::Finalizer::operator()(sqlite3_stmt* statement) const {
  sqlite3_finalize(statement);  // repeats the error of the last Step
}

Statement& Statement::Bind(std::string_view text) {
  int code = sqlite3_bind_text64(statement_.get(), ++bound_, text.data(),
                                 text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  if (code != SQLITE_OK) bind_error_ = code;
  return *this;
}

Statement& Statement::Bind(int64_t number) {
  int code = sqlite3_bind_int64(statement_.get(), ++bound_, number);
  if (code != SQLITE_OK) bind_error_ = code;
  return *this;
}

Statement& Statement::Bind(std::optional<int64_t> number) {
  if (number) return Bind(*number);
  int code = sqlite3_bind_null(statement_.get(), ++bound_);
  if (code != SQLITE_OK) bind_error_ = code;
  return *this;
}

Statement& Statement::Bind(std::optional<double> number) {
  int code = number ? sqlite3_bind_double(statement_.get(), ++bound_, *number)
                    : sqlite3_bind_null(statement_.get(), ++bound_);
  if (code != SQLITE_OK) bind_error_ = code;
  return *this;
}

Statement& Statement::Bind(std::span<const std::byte> bytes) {
  static constexpr std::byte kNothing{};  // a null pointer would bind NULL
  int code = sqlite3_bind_blob64(statement_.get(), ++bound_,
                                 OrEmpty(bytes.data(), &kNothing), bytes.size(),
                                 SQLITE_TRANSIENT);
  if (code != SQLITE_OK) bind_error_ = code;
  return *this;
}

Result<bool> Statement::Step() {
  if (bind_error_ != 0) {
    return DatabaseError(bind_error_, database_->file(),
                         sqlite3_errstr(bind_error_));
  }
  switch (sqlite3_step(statement_.get())) {
    case SQLITE_ROW:
      return true;
    case SQLITE_DONE:
      return false;
    default:
      return database_->LastError();
  }
}

Status Statement::Run() {
  while (true) {
    ASSIGN_OR_RETURN(bool more, Step());
    if (!more) return {};
  }
}

std::string_view Statement::Text(int column) const {
  const char* text = OrEmpty(sqlite3_column_text(statement_.get(), column), "");
  return {text,
          static_cast<size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

bool Statement::IsNull(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

int64_t Statement::Integer(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

std::span<const std::byte> Statement::Blob(int column) const {
  const void* bytes = sqlite3_column_blob(statement_.get(), column);
  return {static_cast<const std::byte*>(bytes),
          static_cast<size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

void Database::Closer::operator()(sqlite3* database) const {
  // All statements were finalized before, because a statement does not outlive
  // its database.
  sqlite3_close(database);
}

Result<Database> Database::Open(const std::filesystem::path& file,
                                std::chrono::milliseconds patience,
                                DatabaseAccess access) {
  int flags = SQLITE_OPEN_EXRESCODE;
  std::string name = file.string();
  if (access == DatabaseAccess::kWrite) {
    flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  } else {
    flags |= SQLITE_OPEN_READONLY;
  }
  if (access == DatabaseAccess::kReadUnchanging) {
    flags |= SQLITE_OPEN_URI;
    name = ImmutableUrl(file);
  }
  sqlite3* handle = nullptr;
  int code = sqlite3_open_v2(name.c_str(), &handle, flags, nullptr);
  Database database(file, handle);  // a failed open must be closed as well
  if (code != SQLITE_OK) {
    return DatabaseError(code, file, sqlite3_errstr(code));
  }
  sqlite3_busy_timeout(handle, static_cast<int>(patience.count()));
  database.identity_ = Identify(file);
  return database;
}

std::optional<Database::FileIdentity> Database::Identify(
    const std::filesystem::path& file) {
  struct stat facts {};
  if (stat(file.c_str(), &facts) != 0) return std::nullopt;
  return FileIdentity{.device = facts.st_dev, .number = facts.st_ino};
}

Status Database::CheckFile() const {
  if (!identity_) return {};  // in memory
  if (Identify(file_) != identity_) {
    return Unavailable(file_.string() +
                       ": the file was removed or replaced; restart mete");
  }
  constexpr uint64_t kLeast = 1 << 20;  // a job with its runs
  struct statvfs space {};
  if (statvfs(file_.c_str(), &space) == 0 &&
      space.f_bavail * space.f_frsize < kLeast) {
    return Unavailable(file_.string() + ": no space left on its file system");
  }
  return {};
}

Result<Statement> Database::Prepare(std::string_view sql) {
  sqlite3_stmt* statement = nullptr;
  int code =
      sqlite3_prepare_v2(database_.get(), sql.data(),
                         static_cast<int>(sql.size()), &statement, nullptr);
  if (code != SQLITE_OK) return LastError();
  return Statement(*this, statement);
}

Status Database::Execute(const std::string& sql) {
  int code =
      sqlite3_exec(database_.get(), sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return LastError();
  return {};
}

Result<std::string> Database::QueryText(std::string_view sql) {
  ASSIGN_OR_RETURN(Statement statement, Prepare(sql));
  ASSIGN_OR_RETURN(bool row, statement.Step());
  if (!row) return NotFound("no row for " + std::string(sql));
  return std::string(statement.Text(0));
}

Status Database::CheckWritable() const {
  if (sqlite3_db_readonly(database_.get(), "main") == 0) return {};
  return DatabaseError(SQLITE_READONLY, file_, "");
}

bool Database::Busy() const {
  return (sqlite3_extended_errcode(database_.get()) & 0xff) == SQLITE_BUSY;
}

Error Database::LastError() const {
  return DatabaseError(sqlite3_extended_errcode(database_.get()), file_,
                       sqlite3_errmsg(database_.get()));
}

Result<Transaction> Transaction::Begin(Database& database) {
  RETURN_IF_ERROR(database.Execute("BEGIN IMMEDIATE"));
  return Transaction(database);
}

Transaction::~Transaction() {
  if (database_ == nullptr) return;
  // Fails when SQLite has already rolled back, as on a full disk.
  Status undone = database_->Execute("ROLLBACK");
  static_cast<void>(undone);
}

Status Transaction::Commit() {
  RETURN_IF_ERROR(database_->Execute("COMMIT"));
  database_ = nullptr;
  return {};
}

}  // namespace mete
