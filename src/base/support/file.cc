#include "support/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <random>

#include "support/descriptor.h"

namespace mete {
namespace {

// Creates a new file next to the target. Not with mkostemp, which makes it
// private: this file follows the umask, which cannot be read without changing
// it for other threads.
Descriptor CreateBeside(const std::filesystem::path& path,
                        std::string& beside) {
  constexpr int kTries = 100;
  std::random_device random;
  int file = -1;
  for (int i = 0; i < kTries && file < 0; ++i) {
    beside = fmt::format("{}.{:08x}", path.string(), random());
    file = open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0 && errno != EEXIST) break;
  }
  return Descriptor(file);
}

// As the kernel does for open(2) with fs.protected_symlinks: in a folder like
// /tmp, another user may have made the link to have a file overwritten.
Status CheckLinkIsTrusted(const std::filesystem::path& link) {
  const std::filesystem::path folder =
      link.has_parent_path() ? link.parent_path() : ".";
  struct stat of_link {};
  struct stat of_folder {};
  if (lstat(link.c_str(), &of_link) != 0 ||
      stat(folder.c_str(), &of_folder) != 0) {
    return {};  // the next step reports it
  }
  const bool shared =
      (of_folder.st_mode & S_ISVTX) != 0 && (of_folder.st_mode & S_IWOTH) != 0;
  if (!shared || of_link.st_uid == geteuid() ||
      of_link.st_uid == of_folder.st_uid) {
    return {};
  }
  return Error(ErrorCode::kPermissionDenied,
               link.string() + " is a link that another user made");
}

// Resolves links, also to targets that do not exist yet, so that writing does
// not replace the link itself.
Result<std::filesystem::path> LinkTarget(std::filesystem::path path) {
  constexpr int kMostLinks = 40;  // the kernel's own limit
  std::error_code error;
  for (int i = 0; i < kMostLinks; ++i) {
    std::filesystem::path next = std::filesystem::read_symlink(path, error);
    if (error) return path;
    RETURN_IF_ERROR(CheckLinkIsTrusted(path));
    path = path.parent_path() / next;
  }
  return path;
}

// A device, pipe or socket, which a rename must not replace.
bool IsStream(const std::filesystem::path& path) {
  std::error_code error;
  return std::filesystem::is_other(path, error);
}

// Makes a rename survive a power failure. The contents are safe already, so a
// file system that cannot do this is no error.
void SyncFolder(const std::filesystem::path& folder) {
  Descriptor opened(open(folder.empty() ? "." : folder.c_str(),
                         O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened.open()) fsync(opened.number());
}

Result<std::string> ReadAll(const Descriptor& file, uint64_t at_most,
                            const std::string& act) {
  std::string content;
  std::array<char, 16384> buffer;
  while (true) {
    ssize_t got = read(file.number(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return SystemError(act, errno);
    if (got == 0) return content;
    content.append(buffer.data(), static_cast<size_t>(got));
    if (content.size() > at_most) {
      return InvalidInput(act + ": has more than " +
                          FormatBytes(Bytes{at_most}));
    }
  }
}

Status WriteInto(const std::filesystem::path& path,
                 const std::function<Status(int descriptor)>& write) {
  Descriptor stream(open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!stream.open()) return SystemError("open", errno);
  return write(stream.number());
}

}  // namespace

Result<std::vector<std::filesystem::path>> FilesIn(
    const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::directory_iterator entry(folder, error);
  std::vector<std::filesystem::path> files;
  while (!error && entry != std::filesystem::directory_iterator()) {
    files.push_back(entry->path());
    entry.increment(error);
  }
  if (error) return SystemError("read " + folder.string(), error.value());
  std::sort(files.begin(), files.end());
  return files;
}

Status MakeFolder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return SystemError("create " + folder.string(), error.value());
  return {};
}

Status CheckWritable(const std::filesystem::path& path) {
  const std::string act = "write " + path.string();
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    return SystemError(act, EISDIR);
  }
  auto resolved = LinkTarget(path);
  if (!resolved.ok()) return resolved.error().While(act);
  const std::filesystem::path& target = *resolved;
  std::filesystem::path folder = target.parent_path();
  if (folder.empty()) folder = ".";
  const std::filesystem::path& asked = IsStream(target) ? target : folder;
  if (access(asked.c_str(), W_OK) != 0) return SystemError(act, errno);
  return {};
}

std::string OwnProgram() {
  constexpr const char* kSelf = "/proc/self/exe";
  std::error_code error;
  std::filesystem::path file = std::filesystem::read_symlink(kSelf, error);
  bool usable = !error && std::filesystem::exists(file, error);
  return usable ? file.string() : kSelf;
}

Status WriteAll(int descriptor, std::string_view content) {
  while (!content.empty()) {
    ssize_t written = write(descriptor, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return SystemError("write", errno);
    content.remove_prefix(static_cast<size_t>(written));
  }
  return {};
}

Result<std::string> ReadFile(const std::filesystem::path& path) {
  const std::string act = "read " + path.string();
  Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.open()) return SystemError(act, errno);
  return ReadAll(file, UINT64_MAX, act);
}

Result<std::string> ReadRegularFile(const std::filesystem::path& path,
                                    Bytes at_most) {
  const std::string act = "read " + path.string();
  // Opening a pipe must not wait for its other end.
  Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.open()) return SystemError(act, errno);
  struct stat facts {};
  if (fstat(file.number(), &facts) != 0) return SystemError(act, errno);
  if (!S_ISREG(facts.st_mode)) {
    return InvalidInput(act + ": is not a regular file");
  }
  return ReadAll(file, at_most.count, act);
}

Status WriteFileAtomically(const std::filesystem::path& path,
                           std::string_view content) {
  return WriteFileAtomically(
      path, [&](int descriptor) { return WriteAll(descriptor, content); });
}

Status WriteFileAtomically(const std::filesystem::path& path,
                           const std::function<Status(int descriptor)>& write) {
  const std::string act = "write " + path.string();
  auto resolved = LinkTarget(path);
  if (!resolved.ok()) return resolved.error().While(act);
  const std::filesystem::path& target = *resolved;
  if (IsStream(target)) return WriteInto(target, write).While(act);
  std::string beside;
  Descriptor file = CreateBeside(target, beside);
  if (!file.open()) return SystemError(act, errno);
  Status written = write(file.number());
  bool done = written.ok() && fsync(file.number()) == 0 &&
              rename(beside.c_str(), target.c_str()) == 0;
  if (done) {
    SyncFolder(target.parent_path());
    return {};
  }
  Error error =
      written.ok() ? SystemError(act, errno) : written.error().While(act);
  unlink(beside.c_str());
  return error;
}

}  // namespace mete
