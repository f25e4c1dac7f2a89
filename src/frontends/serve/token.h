// The secret that callers of `mete serve` must know.
#pragma once

#include <filesystem>
#include <string>

#include "support/result.h"

namespace mete {

// The first line of a file: an editor leaves an end of line behind. Fails with
// kInvalidInput when there is none.
Result<std::string> ReadToken(const std::filesystem::path& file);

// The same; a file that is not there is made, with a random token that only its
// user can read.
Result<std::string> ReadOrMakeToken(const std::filesystem::path& file);

}  // namespace mete
