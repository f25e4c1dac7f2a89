#include "linux/watched_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "linux/numbers.h"

namespace mete {
namespace {

// Most of these files are shorter; the buffer grows where one is not.
constexpr size_t kFirstBuffer = 512;
// A machine with hundreds of cores and sensors must not use up the 1024
// descriptors that a process usually has: files with higher numbers are closed
// after each read.
constexpr int kMostKept = 512;

}  // namespace

bool WatchedFile::Open() {
  file_ = Descriptor(open(path_.c_str(), O_RDONLY | O_CLOEXEC));
  return file_.open();
}

bool WatchedFile::Fill() {
  if (buffer_.empty()) buffer_.resize(kFirstBuffer);
  length_ = 0;
  // Read to the end: files such as /proc/diskstats come one page at a time.
  while (true) {
    if (length_ == buffer_.size()) buffer_.resize(2 * buffer_.size());
    ssize_t got = pread(file_.number(), buffer_.data() + length_,
                        buffer_.size() - length_, static_cast<off_t>(length_));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return false;
    if (got == 0) return true;
    length_ += static_cast<size_t>(got);
  }
}

std::optional<std::string_view> WatchedFile::Text() {
  // A file that was removed may still be open (ENODEV); another may have taken
  // its place.
  bool filled = file_.open() && Fill();
  if (!filled) filled = Open() && Fill();
  if (!filled || file_.number() > kMostKept) file_.Close();
  if (!filled) return std::nullopt;
  return std::string_view(buffer_).substr(0, length_);
}

std::optional<std::string_view> WatchedFile::Line() {
  auto text = Text();
  if (!text) return std::nullopt;
  std::string_view line = Trimmed(text->substr(0, text->find('\n')));
  if (line.empty()) return std::nullopt;
  return line;
}

std::optional<int64_t> WatchedFile::Number() {
  auto line = Line();
  return line ? LeadingNumber(*line) : std::nullopt;
}

std::optional<uint64_t> WatchedFile::Count() {
  auto line = Line();
  return line ? WholeNumber(*line) : std::nullopt;
}

WatchedFile& WatchedFolder::File(std::string_view name) {
  auto found = files_.find(name);
  if (found == files_.end()) {
    found = files_.emplace(name, WatchedFile(root_, folder_ / name)).first;
  }
  return found->second;
}

}  // namespace mete
