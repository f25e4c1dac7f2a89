#include "support/result.h"

#include <cerrno>
#include <cstring>

namespace mete {
namespace {

ErrorCode ErrorCodeFor(int error_number) {
  switch (error_number) {
    case ENOENT:
    case ENOTDIR:
    case ESRCH:
      return ErrorCode::kNotFound;
    case EACCES:
    case EPERM:
    case EROFS:
      return ErrorCode::kPermissionDenied;
    case ETIMEDOUT:
      return ErrorCode::kTimeout;
    case EINVAL:
    case EISDIR:
    case ENAMETOOLONG:
      return ErrorCode::kInvalidInput;
    default:
      return ErrorCode::kUnavailable;
  }
}

// strerror with a lower-case first letter, like all our messages.
std::string Describe(int error_number) {
  std::string text = std::strerror(error_number);
  if (!text.empty() && text[0] >= 'A' && text[0] <= 'Z') {
    text[0] = static_cast<char>(text[0] - 'A' + 'a');
  }
  return text;
}

}  // namespace

Error SystemError(const std::string& act, int error_number) {
  return Error(ErrorCodeFor(error_number), act + ": " + Describe(error_number));
}

}  // namespace mete
