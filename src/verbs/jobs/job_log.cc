#include "jobs/job_log.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "measure/recorded_run.h"

namespace mete {
namespace {

using std::filesystem::path;

path LogPathFor(const path& folder, uint64_t run) {
  return folder / std::to_string(run) / kLogFile;
}

// The file to which CappedLog moves the older half.
path OlderLogPath(const path& log) { return log.string() + ".1"; }

bool Exists(const path& file) { return access(file.c_str(), F_OK) == 0; }

bool IsFile(const Descriptor& opened, const path& file) {
  struct stat own {};
  struct stat other {};
  return opened.open() && fstat(opened.number(), &own) == 0 &&
         stat(file.c_str(), &other) == 0 && own.st_dev == other.st_dev &&
         own.st_ino == other.st_ino;
}

}  // namespace

// Returns false when the file does not exist.
Result<bool> JobLog::OpenNext(const path& file) {
  next_ = Descriptor(open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (next_.open()) return true;
  if (errno == ENOENT) return false;
  return SystemError("read " + file.string(), errno);
}

// Opens the oldest existing part of a run's log.
Result<bool> JobLog::FindFirstOf(uint64_t run) {
  const path log = LogPathFor(folder_, run);
  ASSIGN_OR_RETURN(bool found, OpenNext(OlderLogPath(log)));
  if (!found) {
    ASSIGN_OR_RETURN(found, OpenNext(log));
    // The log may have been cut between the two checks.
    if (found && Exists(OlderLogPath(log)) &&
        !IsFile(next_, OlderLogPath(log))) {
      ASSIGN_OR_RETURN(found, OpenNext(OlderLogPath(log)));
    }
  }
  if (found) run_ = run;
  return found;
}

// Opens the file after the open one; false when there is none.
Result<bool> JobLog::FindNext() {
  if (run_ == 0) return FindFirstOf(1);
  const path log = LogPathFor(folder_, run_);
  if (IsFile(file_, log)) return FindFirstOf(run_ + 1);
  // A file that was rotated twice no longer has a name. The older of the two
  // remaining files follows it.
  return OpenNext(IsFile(file_, OlderLogPath(log)) ? log : OlderLogPath(log));
}

Status JobLog::PassOver() {
  struct stat facts {};
  const off_t at = lseek(file_.number(), 0, SEEK_CUR);
  if (at < 0 || fstat(file_.number(), &facts) != 0) {
    return SystemError("read log", errno);
  }
  uint64_t passed = std::min(skip_, static_cast<uint64_t>(facts.st_size - at));
  lseek(file_.number(), static_cast<off_t>(passed), SEEK_CUR);
  skip_ -= passed;
  offset_ += passed;
  return {};
}

Result<std::string> JobLog::ReadOpen() {
  if (!file_.open()) return std::string();
  if (skip_ > 0) RETURN_IF_ERROR(PassOver());
  std::string text(kMost, '\0');
  ssize_t got = read(file_.number(), text.data(), text.size());
  if (got < 0 && errno != EINTR) return SystemError("read log", errno);
  text.resize(static_cast<size_t>(std::max<ssize_t>(got, 0)));
  offset_ += text.size();
  return text;
}

Result<std::string> JobLog::Read() {
  while (true) {
    ASSIGN_OR_RETURN(std::string text, ReadOpen());
    if (!text.empty()) return text;
    if (next_.open()) {
      // The next file existed before the last read, so the writer had already
      // moved on and that read returned everything.
      file_ = std::move(next_);
      continue;
    }
    ASSIGN_OR_RETURN(bool more, FindNext());
    if (more) continue;
    offset_ += std::exchange(skip_, 0);
    return std::string();
  }
}

}  // namespace mete
