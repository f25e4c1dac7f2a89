#include "cli/verb.h"

#include "support/file.h"

namespace mete {

Result<ExitCode> DeliverPage(Invocation& invocation, const std::string& page,
                             const std::string& file) {
  if (file.empty()) {
    invocation.output.PrintText(page);
    return ExitCode::kDone;
  }
  RETURN_IF_ERROR(WriteFileAtomically(file, page));
  invocation.console.Note("wrote " + file);
  return ExitCode::kDone;
}

Result<ExitCode> UsageIfInvalid(Invocation& invocation,
                                Result<ExitCode> result) {
  if (result.ok() || result.error().code() != ErrorCode::kInvalidInput) {
    return result;
  }
  invocation.console.Error(result.error().message());
  return ExitCode::kUsage;
}

}  // namespace mete
