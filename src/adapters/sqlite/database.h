// Owning wrappers of SQLite's handles: Database, Statement, Transaction. Every
// failure becomes one line that names the file and what to do.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "support/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace mete {

// Converts SQLite's (extended) result code to a message for the user of that
// file.
Error DatabaseError(int code, const std::filesystem::path& file,
                    const std::string& detail);

class Database;

// How a file is opened.
enum class DatabaseAccess {
  kWrite,  // creates the file if there is none
  kRead,   // takes part in the locks of writers, and needs their -shm file
  // Takes no locks and reads no log: only for a file that cannot be written
  // and has no log. Whatever another process writes is not noticed.
  kReadUnchanging,
};

// A prepared statement. Parameters are bound in order, starting with the first.
// Must not outlive its Database.
class Statement {
 public:
  Statement& Bind(std::string_view text);
  Statement& Bind(int64_t number);
  Statement& Bind(std::optional<int64_t> number);
  Statement& Bind(std::optional<double> number);
  Statement& Bind(std::span<const std::byte> bytes);

  // True when there is a row, false at the end.
  Result<bool> Step();
  // Runs to the end and ignores rows.
  Status Run();

  // Columns of the current row, counted from 0. Valid until the next Step.
  std::string_view Text(int column) const;
  int64_t Integer(int column) const;
  bool IsNull(int column) const;
  std::span<const std::byte> Blob(int column) const;

 private:
  friend class Database;
  // Deleter of a statement.
  struct Finalizer {
    void operator()(sqlite3_stmt* statement) const;
  };
  Statement(Database& database, sqlite3_stmt* statement)
      : database_(&database), statement_(statement) {}

  Database* database_;
  std::unique_ptr<sqlite3_stmt, Finalizer> statement_;
  int bound_ = 0;
  // Kept until Step reports it, because a chain of Bind calls cannot.
  int bind_error_ = 0;
};

// One connection. Not thread-safe.
class Database {
 public:
  // SQLite itself reads the contents only at the first statement. Waits up to
  // `patience` for a lock of another process.
  static Result<Database> Open(const std::filesystem::path& file,
                               std::chrono::milliseconds patience,
                               DatabaseAccess access = DatabaseAccess::kWrite);

  const std::filesystem::path& file() const { return file_; }

  Result<Statement> Prepare(std::string_view sql);
  // One or more statements; ignores rows.
  Status Execute(const std::string& sql);
  // The first column of the first row. Fails with kNotFound without a row.
  Result<std::string> QueryText(std::string_view sql);

  // Fails when the file was removed or replaced after it was opened, or when
  // its file system is full: reading may still work then, but what is written
  // would be lost or refused.
  Status CheckFile() const;

  // Fails with kPermissionDenied when the file was opened for reading only.
  Status CheckWritable() const;

  // True if the last failed call hit a lock of another connection.
  bool Busy() const;
  // The error of the last failed call.
  Error LastError() const;

 private:
  friend class Statement;
  // Deleter of a connection.
  struct Closer {
    void operator()(sqlite3* database) const;
  };
  Database(std::filesystem::path file, sqlite3* database)
      : file_(std::move(file)), database_(database) {}

  // Identifies a file, whatever its name.
  struct FileIdentity {
    uint64_t device = 0;
    uint64_t number = 0;
    bool operator==(const FileIdentity&) const = default;
  };
  static std::optional<FileIdentity> Identify(
      const std::filesystem::path& file);

  std::filesystem::path file_;
  std::unique_ptr<sqlite3, Closer> database_;
  std::optional<FileIdentity> identity_;  // when it was opened
};

// A write transaction. Takes the write lock at the start, so that it cannot
// fail halfway because of a lock. Rolled back by the destructor unless
// committed.
class Transaction {
 public:
  static Result<Transaction> Begin(Database& database);
  Transaction(Transaction&& other) noexcept
      : database_(std::exchange(other.database_, nullptr)) {}
  Transaction& operator=(Transaction&&) = delete;
  ~Transaction();

  Status Commit();

 private:
  explicit Transaction(Database& database) : database_(&database) {}

  Database* database_;  // null once committed or moved from
};

}  // namespace mete
