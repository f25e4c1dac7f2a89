// Files with secrets: tokens and private keys.
#pragma once

#include <filesystem>
#include <string>

#include "support/result.h"

namespace mete {

// Fails with kPermissionDenied and a remedy if every user of this machine can
// read the file. `secret` is what the message calls its content: "the token".
Status CheckSecretFile(const std::filesystem::path& file,
                       const std::string& secret);

}  // namespace mete
