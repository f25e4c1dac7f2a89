#include "support/scratch_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <utility>

namespace mete {
namespace {

constexpr std::string_view kPrefix = "mete.";

// "mete.PID.XXXXXX". The pid is for people: the lock decides, because another
// process may have the same pid, now or in another container. Other names are
// not ours, or those of a mete that did not lock its folders.
bool IsScratchName(const std::string& name) {
  if (!name.starts_with(kPrefix)) return false;
  const std::string rest = name.substr(kPrefix.size());
  const size_t dot = rest.find('.');
  const bool pid = dot != std::string::npos && dot > 0 &&
                   rest.find_first_not_of("0123456789") == dot;
  return pid && rest.size() == dot + 7;
}

Descriptor OpenFolder(const std::filesystem::path& path) {
  return Descriptor(
      open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

// Whether the folder was removed after it was opened.
bool IsRemoved(const Descriptor& folder) {
  struct stat facts {};
  return fstat(folder.number(), &facts) != 0 || facts.st_nlink == 0;
}

bool IsOwn(const Descriptor& folder) {
  struct stat facts {};
  return fstat(folder.number(), &facts) == 0 && facts.st_uid == geteuid();
}

// Through the descriptor: the name could be given to a link meanwhile.
void RemoveContents(const Descriptor& folder) {
  std::error_code error;
  const std::filesystem::path opened =
      fmt::format("/proc/self/fd/{}", folder.number());
  std::filesystem::directory_iterator entry(opened, error);
  while (!error && entry != std::filesystem::directory_iterator()) {
    std::error_code ignored;  // what cannot be removed stays
    std::filesystem::remove_all(entry->path(), ignored);
    entry.increment(error);
  }
}

}  // namespace

Result<ScratchFolder> ScratchFolder::Create() {
  std::error_code error;
  std::filesystem::path base = std::filesystem::temp_directory_path(error);
  if (error) return SystemError("find the temporary folder", error.value());
  // Another process may find the new folder without a lock and remove it.
  constexpr int kTries = 100;
  for (int i = 0; i < kTries; ++i) {
    std::string name =
        (base / fmt::format("{}{}.XXXXXX", kPrefix, getpid())).string();
    if (mkdtemp(name.data()) == nullptr) {
      return SystemError("create " + name, errno);
    }
    Descriptor lock = OpenFolder(name);
    if (!lock.open()) {
      if (errno == ENOENT) continue;
      return SystemError("open " + name, errno);
    }
    // Where locks are not supported, nobody removes the folder either.
    static_cast<void>(flock(lock.number(), LOCK_EX));
    if (!IsRemoved(lock)) return ScratchFolder(name, std::move(lock));
  }
  return Unavailable("create a folder in " + base.string() +
                     ": it is removed each time");
}

ScratchFolder::ScratchFolder(ScratchFolder&& other) noexcept
    : path_(std::exchange(other.path_, {})), lock_(std::move(other.lock_)) {}

ScratchFolder& ScratchFolder::operator=(ScratchFolder&& other) noexcept {
  Remove();
  path_ = std::exchange(other.path_, {});
  lock_ = std::move(other.lock_);
  return *this;
}

ScratchFolder::~ScratchFolder() { Remove(); }

void ScratchFolder::Remove() {
  if (path_.empty()) return;
  std::error_code ignored;  // files that cannot be removed stay behind
  std::filesystem::remove_all(path_, ignored);
}

void ScratchFolder::RemoveAbandoned() {
  std::error_code error;
  const std::filesystem::path base =
      std::filesystem::temp_directory_path(error);
  if (error) return;
  std::filesystem::directory_iterator entry(base, error);
  for (; !error && entry != std::filesystem::directory_iterator();
       entry.increment(error)) {
    if (!IsScratchName(entry->path().filename().string())) continue;
    Descriptor folder = OpenFolder(entry->path());
    if (!folder.open() || !IsOwn(folder)) continue;
    if (flock(folder.number(), LOCK_EX | LOCK_NB) != 0) continue;
    RemoveContents(folder);
    rmdir(entry->path().c_str());  // fails for a link and if not empty
  }
}

}  // namespace mete
