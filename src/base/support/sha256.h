// SHA-256 of a file or of a text, as lower-case hex.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "support/result.h"

namespace mete {

// Reads in blocks, so memory use does not depend on the file size.
Result<std::string> Sha256OfFile(const std::filesystem::path& path);

std::string ComputeSha256(std::string_view text);

}  // namespace mete
