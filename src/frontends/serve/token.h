// The tokens that clients of `mete serve` must send.
#pragma once

#include <filesystem>
#include <vector>

#include "serve/access.h"
#include "support/result.h"

namespace mete {

// Reads a file with one token per line, each after its role: "read:TOKEN",
// "submit:TOKEN", "admin:TOKEN". Blank lines and lines that begin with # are
// skipped. In a file without roles, the first line is the token of an admin.
// Fails with kInvalidInput if there is no token, and with kPermissionDenied if
// every user of the machine can read the file. No message contains a token.
Result<std::vector<AccessToken>> ReadTokens(const std::filesystem::path& file);

// Does the same, but creates a missing file with a random token that only its
// owner can read.
Result<std::vector<AccessToken>> ReadOrMakeTokens(
    const std::filesystem::path& file);

}  // namespace mete
