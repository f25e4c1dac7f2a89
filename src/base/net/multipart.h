// Forms with files, as browsers and curl -F send them (RFC 7578).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/result.h"

namespace mete {

// One field of a form. The views look into the body that was parsed.
struct FormPart {
  std::string name;
  std::optional<std::string> file_name;  // of a file; may be empty
  std::string_view content;
};

// Whether a Content-Type says that the body is such a form.
bool IsMultipart(std::string_view content_type);

// Parts in their order. Fails with kInvalidInput when the type has no boundary
// or the body does not keep to it: cut off, a head without a name, more than a
// hundred parts.
Result<std::vector<FormPart>> ParseMultipart(std::string_view content_type,
                                             std::string_view body);

// A name that is safe below a folder: letters, digits and ._- of the last part
// of the path, without dots in front. Empty when nothing is left.
std::string SafeFileName(std::string_view given);

}  // namespace mete
