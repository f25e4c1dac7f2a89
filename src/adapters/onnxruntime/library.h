// Finds and loads ONNX Runtime's shared library on first use.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "support/result.h"

struct OrtApi;

namespace mete {

// The loaded library. It is never unloaded: its threads and thread-local values
// may outlive every handle created from it.
struct OrtLibrary {
  const OrtApi* api = nullptr;
  std::string version;  // "1.22.0"
};

// Where to search, in order: only the override if there is one; otherwise next
// to the program (bin/../lib), then the search path of the loader.
std::vector<std::filesystem::path> OrtLibraryCandidates(
    const std::filesystem::path& override_path);

// Opens the first candidate that exists. Fails with kUnavailable and lists
// every place tried, or with kUnsupported when a library is too old.
Result<OrtLibrary> OpenOrtLibrary(
    const std::vector<std::filesystem::path>& candidates);

}  // namespace mete
