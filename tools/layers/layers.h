// Checks which folder of the source tree may include which. The build declares
// the dependencies (DEPS of mete_library); this checks the code against them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/result.h"

namespace mete {

// One folder of sources as the build declares it.
struct Library {
  std::string group;   // "verbs": the folder below src/ that it belongs to
  std::string folder;  // "measure", "adapters/onnx": as includes name it
  std::vector<std::string> deps;
  std::vector<std::string> test_deps;  // for tests only
  std::vector<std::string> files;      // names without folder
};

// A source file to check.
struct SourceFile {
  std::string path;  // below src/: "verbs/measure/sampler.cc"
  std::string text;
};

// Reads lines of "group folder: deps | test deps | files". Lines that name the
// same folder (several programs in one) are merged. Fails with kCorrupt.
Result<std::vector<Library>> ParseLayers(std::string_view text);

// Returns one line per violation; empty if there are none:
// - an include of a folder that is not among the including folder's deps
// - a dependency on a folder that is not declared, or on a higher layer
// - an adapter that uses an adapter or a verb, a verb that uses an adapter
// - a cycle between folders
// - a source file that no folder lists
std::vector<std::string> FindBreaches(const std::vector<Library>& libraries,
                                      const std::vector<SourceFile>& files);

}  // namespace mete
