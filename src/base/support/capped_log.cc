#include "support/capped_log.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>

namespace mete {
namespace {

// Follows no link: in a folder of others, it could lead to any file.
Descriptor Create(const std::filesystem::path& file) {
  return Descriptor(open(file.c_str(),
                         O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC,
                         0600));
}

}  // namespace

Result<CappedLog> CappedLog::Open(std::filesystem::path file, Bytes cap) {
  CHECK(cap.count >= 2) << "log cap of " << cap.count << " bytes";
  Descriptor descriptor = Create(file);
  if (!descriptor.open()) return SystemError("write " + file.string(), errno);
  return CappedLog(std::move(file), cap, std::move(descriptor));
}

void CappedLog::Write(std::string_view text) {
  while (!text.empty() && status_.ok()) {
    if (size_ >= half_) Rotate();
    if (!status_.ok()) return;
    size_t part = std::min<uint64_t>(text.size(), half_ - size_);
    ssize_t written = write(file_.number(), text.data(), part);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      status_ = SystemError("write " + path_.string(), errno);
      return;
    }
    size_ += static_cast<uint64_t>(written);
    text.remove_prefix(static_cast<size_t>(written));
  }
}

void CappedLog::Rotate() {
  std::string older = path_.string() + ".1";
  if (rename(path_.c_str(), older.c_str()) != 0) {
    status_ = SystemError("rename " + path_.string(), errno);
    return;
  }
  file_ = Create(path_);
  if (!file_.open()) status_ = SystemError("write " + path_.string(), errno);
  size_ = 0;
  rotated_ = true;
}

}  // namespace mete
