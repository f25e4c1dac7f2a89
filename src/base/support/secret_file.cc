#include "support/secret_file.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>

namespace mete {

Status CheckSecretFile(const std::filesystem::path& file,
                       const std::string& secret) {
  struct stat facts {};
  if (stat(file.c_str(), &facts) != 0) {
    return SystemError("read " + file.string(), errno);
  }
  if ((facts.st_mode & S_IROTH) == 0) return {};
  return Error(ErrorCode::kPermissionDenied,
               fmt::format("{}: every user of this machine can read {}; run "
                           "'chmod o-r {}'",
                           file.string(), secret, file.string()));
}

}  // namespace mete
