// A check that everything that opens a network file shares.
#pragma once

#include <filesystem>
#include <system_error>

#include "support/result.h"

namespace mete {

// Fails with kInvalidInput for a folder, which users mistake for a network in
// it, and for what is not a regular file: opening a pipe can wait forever.
// Missing and unreachable files are left to the caller.
inline Status CheckMayBeNetwork(const std::filesystem::path& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (error || !std::filesystem::exists(status)) return {};
  if (std::filesystem::is_directory(status)) {
    return InvalidInput("read " + path.string() +
                        ": is a folder, not a network file");
  }
  if (!std::filesystem::is_regular_file(status)) {
    return InvalidInput("read " + path.string() + ": is not a regular file");
  }
  return {};
}

}  // namespace mete
