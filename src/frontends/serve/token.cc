#include "serve/token.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <random>

#include "support/descriptor.h"
#include "support/file.h"
#include "support/private_folder.h"

namespace mete {
namespace {

std::string DrawToken() {
  std::random_device device;
  std::string token;
  for (int i = 0; i < 8; ++i) token += fmt::format("{:08x}", device());
  return token;
}

}  // namespace

Result<std::string> ReadToken(const std::filesystem::path& file) {
  struct stat facts {};
  if (stat(file.c_str(), &facts) == 0 && S_ISREG(facts.st_mode) &&
      (facts.st_mode & S_IROTH) != 0) {
    return Error(ErrorCode::kPermissionDenied,
                 fmt::format("{}: every user of this machine can read the "
                             "token; run 'chmod o-r {}'",
                             file.string(), file.string()));
  }
  ASSIGN_OR_RETURN(std::string text, ReadFile(file));
  text.erase(std::min(text.find_first_of("\r\n"), text.size()));
  text.erase(text.find_last_not_of(" \t") + 1);
  if (text.empty()) return InvalidInput(file.string() + ": contains no token");
  return text;
}

Result<std::string> ReadOrMakeToken(const std::filesystem::path& file) {
  RETURN_IF_ERROR(MakePrivateFolder(file.parent_path()));
  Descriptor made(
      open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!made.open()) {
    if (errno == EEXIST) return ReadToken(file);
    return SystemError("create " + file.string(), errno);
  }
  std::string token = DrawToken();
  std::string line = token + "\n";
  if (write(made.number(), line.data(), line.size()) !=
      static_cast<ssize_t>(line.size())) {
    int error = errno;
    unlink(file.c_str());
    return SystemError("write " + file.string(), error);
  }
  return token;
}

}  // namespace mete
