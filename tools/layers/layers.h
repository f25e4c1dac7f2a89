// The rules of the source tree: which folder may include which. The build
// declares the edges (mete_library's DEPS); this holds the code to them.
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

struct SourceFile {
  std::string path;  // below src/: "verbs/measure/sampler.cc"
  std::string text;
};

// Reads lines of "group folder: deps | test deps | files". Lines that name the
// same folder (several programs in one) are merged. Fails with kCorrupt.
Result<std::vector<Library>> ParseLayers(std::string_view text);

// Every breach as one line; empty when all is well:
// - an include of a folder that is not among the including folder's deps
// - a dependency on a folder that is not declared, or on a layer above
// - an adapter that knows an adapter or a verb, a verb that knows an adapter
// - a cycle between folders
// - a source file that no folder lists
std::vector<std::string> FindBreaches(const std::vector<Library>& libraries,
                                      const std::vector<SourceFile>& files);

}  // namespace mete
