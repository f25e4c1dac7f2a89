// Finds and opens ONNX Runtime's shared library when it is first needed.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "support/result.h"

struct OrtApi;

namespace mete {

// The opened library. It is never closed: its threads and thread-local values
// may outlive every handle made from it.
struct OrtLibrary {
  const OrtApi* api = nullptr;
  std::string version;  // "1.22.0"
};

// Where to look, in order: the override alone when there is one; else beside
// the program (bin/../lib), then wherever the system's loader looks.
std::vector<std::filesystem::path> OrtLibraryCandidates(
    const std::filesystem::path& override_path);

// Opens the first candidate that is there. Fails with kUnavailable, naming
// every place tried, or kUnsupported when a library is older than we need.
Result<OrtLibrary> OpenOrtLibrary(
    const std::vector<std::filesystem::path>& candidates);

}  // namespace mete
