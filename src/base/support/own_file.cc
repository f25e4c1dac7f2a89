#include "support/own_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "support/descriptor.h"
#include "support/file.h"

namespace mete {

Result<std::string> ReadOwnFile(const std::filesystem::path& path,
                                Bytes at_most) {
  const std::string act = "read " + path.string();
  // Opening a pipe must not wait for its other end.
  const Descriptor file(
      open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW));
  struct stat facts {};
  if (!file.open() || fstat(file.number(), &facts) != 0) {
    return SystemError(act, errno);
  }
  if (facts.st_uid != geteuid()) {
    return Error(ErrorCode::kPermissionDenied,
                 act + ": belongs to another user");
  }
  // The same file, whatever its name means by now.
  return ReadRegularFile(fmt::format("/proc/self/fd/{}", file.number()),
                         at_most)
      .While(act);
}

}  // namespace mete
