// layer_check LAYERS SRC: prints every violation of the layers and exits with 1
// if there are any.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "layers/layers.h"
#include "support/file.h"

namespace {

mete::Result<std::vector<mete::SourceFile>> ReadSources(
    const std::filesystem::path& root) {
  std::vector<mete::SourceFile> files;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(root)) {
    auto extension = entry.path().extension();
    if (extension != ".cc" && extension != ".h") continue;
    ASSIGN_OR_RETURN(std::string text, mete::ReadFile(entry.path()));
    files.push_back({entry.path().lexically_relative(root), std::move(text)});
  }
  std::ranges::sort(files, {}, &mete::SourceFile::path);
  return files;
}

mete::Result<std::vector<std::string>> Check(const char* layers,
                                             const char* src) {
  ASSIGN_OR_RETURN(std::string text, mete::ReadFile(layers));
  ASSIGN_OR_RETURN(auto libraries, mete::ParseLayers(text));
  ASSIGN_OR_RETURN(auto files, ReadSources(src));
  // An empty tree would look like success.
  if (files.empty()) return mete::NotFound(std::string("no sources in ") + src);
  std::printf("%zu files in %zu folders\n", files.size(), libraries.size());
  return mete::FindBreaches(libraries, files);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) {
    std::fprintf(stderr, "usage: layer_check LAYERS SRC\n");
    return 2;
  }
  auto breaches = Check(arguments[1], arguments[2]);
  if (!breaches.ok()) {
    std::fprintf(stderr, "%s\n", breaches.error().message().c_str());
    return 2;
  }
  for (const std::string& breach : *breaches) {
    std::printf("%s\n", breach.c_str());
  }
  return breaches->empty() ? 0 : 1;
}
