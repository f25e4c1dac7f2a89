// A check that everything that opens a network file shares.
#pragma once

#include <filesystem>
#include <system_error>

#include "support/result.h"

namespace mete {

// Fails with kInvalidInput for a folder, which users mistake for a network in
// it. Missing files are left to the caller.
inline Status CheckNotFolder(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_directory(path, error)) return {};
  return InvalidInput("read " + path.string() +
                      ": is a folder, not a network file");
}

}  // namespace mete
