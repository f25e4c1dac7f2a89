// The token that clients of `mete serve` must send.
#pragma once

#include <filesystem>
#include <string>

#include "support/result.h"

namespace mete {

// Reads the first line of a file, without the line end. Fails with
// kInvalidInput if it is empty.
Result<std::string> ReadToken(const std::filesystem::path& file);

// Does the same, but creates a missing file with a random token that only its
// owner can read.
Result<std::string> ReadOrMakeToken(const std::filesystem::path& file);

}  // namespace mete
