// HTML forms with files, as sent by browsers and curl -F (RFC 7578).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/result.h"

namespace mete {

// One field of a form. The views refer to the parsed body.
struct FormPart {
  std::string name;
  std::optional<std::string> file_name;  // only for files; may be empty
  std::string_view content;
};

// True if the Content-Type is that of such a form.
bool IsMultipart(std::string_view content_type);

// The parts in order. Fails with kInvalidInput when the type has no boundary or
// the body does not follow it: truncated, a part without a name, more than a
// hundred parts.
Result<std::vector<FormPart>> ParseMultipart(std::string_view content_type,
                                             std::string_view body);

// A file name that is safe inside a folder: the letters, digits and ._- of the
// last path component, without leading dots. Empty when nothing is left.
std::string SafeFileName(std::string_view given);

}  // namespace mete
