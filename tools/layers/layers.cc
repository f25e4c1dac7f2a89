#include "layers/layers.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <sstream>

namespace mete {
namespace {

using Breaches = std::vector<std::string>;

// Groups from the bottom up, as in ARCHITECTURE.md. A folder may depend on its
// own row and the rows below. The frontends are rows of their own.
const std::vector<std::set<std::string_view>>& Rows() {
  static const std::vector<std::set<std::string_view>> kRows{
      {"base"},
      {"math", "core"},
      {"workloads"},
      {"verbs", "adapters"},
      {"agent", "serve", "inference"},
      {"cli"},
      {"wiring"},
      {"apps"}};
  return kRows;
}
constexpr size_t kVerbsAndAdapters = 3;
constexpr std::string_view kFrontends = "frontends";

bool IsAdapter(std::string_view folder) {
  return folder.starts_with("adapters/");
}

// The row of a library; absent if its group has none.
std::optional<size_t> FindRow(const Library& library) {
  std::string_view name = library.group;
  if (name == kFrontends) {
    name = library.folder;
    name = name.substr(0, name.find('/'));
  }
  for (size_t row = 0; row < Rows().size(); ++row) {
    if (Rows()[row].contains(name)) return row;
  }
  return std::nullopt;
}

// The folder below src/: "verbs/measure", "adapters/onnx".
std::string PathBelowSrc(const Library& library) {
  return IsAdapter(library.folder) ? library.folder
                                   : library.group + "/" + library.folder;
}

std::vector<std::string> Words(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

void Append(std::vector<std::string>& to, std::vector<std::string> more) {
  to.insert(to.end(), more.begin(), more.end());
}

const Library* Find(const std::vector<Library>& libraries,
                    std::string_view folder) {
  auto found = std::ranges::find(libraries, folder, &Library::folder);
  return found == libraries.end() ? nullptr : &*found;
}

// The library whose name, as returned by `name`, is the longest prefix of the
// path: "adapters/onnx" rather than "adapters".
template <typename Name>
const Library* FindOwner(const std::vector<Library>& libraries,
                         std::string_view path, Name name) {
  const Library* best = nullptr;
  for (const Library& library : libraries) {
    bool holds = path.starts_with(name(library) + "/");
    bool longer = !best || name(library).size() > name(*best).size();
    if (holds && longer) best = &library;
  }
  return best;
}

// The library that an #include path names.
const Library* FindIncluded(const std::vector<Library>& libraries,
                            std::string_view include) {
  return FindOwner(libraries, include,
                   [](const Library& library) { return library.folder; });
}

struct Include {
  size_t line = 0;
  std::string path;
};

// Quoted includes only; those in <> are headers of other projects.
std::vector<Include> FindIncludes(const SourceFile& file) {
  constexpr std::string_view kStart = "#include \"";
  std::vector<Include> includes;
  std::istringstream stream(file.text);
  size_t number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    if (!line.starts_with(kStart)) continue;
    std::string path = line.substr(kStart.size());
    includes.push_back({number, path.substr(0, path.find('"'))});
  }
  return includes;
}

// Whether the file is a test: foo_test.cc, or a test_foo.h that tests share.
bool IsTest(const std::string& path) {
  std::string name = path.substr(path.rfind('/') + 1);
  return name.ends_with("_test.cc") ||
         (name.starts_with("test_") && name.ends_with(".h"));
}

std::optional<std::string> JudgeInclude(const std::vector<Library>& libraries,
                                        const SourceFile& file,
                                        const Library& from,
                                        const Include& include) {
  bool test = IsTest(file.path);
  if (test && include.path.starts_with("tests/")) return std::nullopt;
  const Library* to = FindIncluded(libraries, include.path);
  std::string place = fmt::format("src/{}:{}: includes \"{}\"", file.path,
                                  include.line, include.path);
  if (!to) return place + ", which is in no declared folder";
  if (to == &from || std::ranges::count(from.deps, to->folder) > 0) {
    return std::nullopt;
  }
  if (test && std::ranges::count(from.test_deps, to->folder) > 0) {
    return std::nullopt;
  }
  return fmt::format("{}, but {} is not among the {} of {}", place, to->folder,
                     test ? "DEPS and TEST_DEPS" : "DEPS", from.folder);
}

void CheckFiles(const std::vector<Library>& libraries,
                const std::vector<SourceFile>& files, Breaches& breaches) {
  for (const SourceFile& file : files) {
    const Library* from = FindOwner(libraries, file.path, PathBelowSrc);
    std::string name = file.path.substr(file.path.rfind('/') + 1);
    if (!from || file.path != PathBelowSrc(*from) + "/" + name ||
        std::ranges::count(from->files, name) == 0) {
      breaches.push_back(
          fmt::format("src/{}: listed by no mete_library", file.path));
      continue;
    }
    for (const Include& include : FindIncludes(file)) {
      auto breach = JudgeInclude(libraries, file, *from, include);
      if (breach) breaches.push_back(*breach);
    }
  }
}

// Why a folder must not depend on another; absent if it may.
std::optional<std::string> JudgeEdge(const Library& from, const Library& to) {
  auto from_row = FindRow(from), to_row = FindRow(to);
  if (!from_row || !to_row) return std::nullopt;  // reported by CheckEdges
  if (*to_row > *from_row) return "which is in a higher layer";
  if (*from_row != kVerbsAndAdapters || *to_row != kVerbsAndAdapters) {
    return std::nullopt;
  }
  if (IsAdapter(from.folder)) {
    return IsAdapter(to.folder) ? "but adapters must not use each other"
                                : "but adapters must not use verbs";
  }
  if (IsAdapter(to.folder)) return "but verbs must use ports, not adapters";
  return std::nullopt;
}

void CheckEdges(const std::vector<Library>& libraries, Breaches& breaches) {
  for (const Library& library : libraries) {
    if (!FindRow(library)) {
      breaches.push_back(fmt::format(
          "{}: its group '{}' has no layer; add one in tools/layers/layers.cc",
          library.folder, library.group));
    }
    std::vector<std::string> all = library.deps;
    Append(all, library.test_deps);
    for (const std::string& dep : all) {
      if (Find(libraries, dep)) continue;
      breaches.push_back(
          fmt::format("{}: depends on {}, which is not a declared folder",
                      library.folder, dep));
    }
    for (const std::string& dep : library.deps) {
      const Library* to = Find(libraries, dep);
      auto why = to ? JudgeEdge(library, *to) : std::nullopt;
      if (!why) continue;
      breaches.push_back(
          fmt::format("{}: depends on {}, {}", library.folder, dep, *why));
    }
  }
}

// Depth-first search that returns the first cycle it finds.
class CycleSearch {
 public:
  explicit CycleSearch(const std::vector<Library>& libraries)
      : libraries_(libraries) {}

  std::optional<std::string> Run() {
    for (const Library& library : libraries_) {
      auto cycle = Visit(library);
      if (cycle) return cycle;
    }
    return std::nullopt;
  }

 private:
  std::optional<std::string> Visit(const Library& library) {
    if (done_.contains(library.folder)) return std::nullopt;
    auto start = std::ranges::find(path_, library.folder);
    if (start != path_.end()) {
      std::string text = "cycle: ";
      for (; start != path_.end(); ++start) text += *start + " -> ";
      return text + library.folder;
    }
    path_.push_back(library.folder);
    for (const std::string& dep : library.deps) {
      const Library* next = Find(libraries_, dep);
      auto cycle = next ? Visit(*next) : std::nullopt;
      if (cycle) return cycle;
    }
    path_.pop_back();
    done_.insert(library.folder);
    return std::nullopt;
  }

  const std::vector<Library>& libraries_;
  std::vector<std::string> path_;
  std::set<std::string> done_;
};

}  // namespace

Result<std::vector<Library>> ParseLayers(std::string_view text) {
  std::map<std::string, Library> by_folder;
  std::istringstream stream{std::string(text)};
  for (std::string line; std::getline(stream, line);) {
    if (line.empty()) continue;
    size_t space = line.find(' ');
    size_t colon = line.find(':');
    size_t bar = line.find('|');
    size_t second = line.find('|', bar + 1);
    if (space > colon || colon == std::string::npos ||
        second == std::string::npos) {
      return Corrupt("not \"group folder: deps | test deps | files\": " + line);
    }
    std::string folder = line.substr(space + 1, colon - space - 1);
    Library& library = by_folder[folder];
    library.group = line.substr(0, space);
    library.folder = folder;
    Append(library.deps, Words(line.substr(colon + 1, bar - colon - 1)));
    Append(library.test_deps, Words(line.substr(bar + 1, second - bar - 1)));
    Append(library.files, Words(line.substr(second + 1)));
  }
  std::vector<Library> libraries;
  for (auto& [folder, library] : by_folder) {
    libraries.push_back(std::move(library));
  }
  return libraries;
}

std::vector<std::string> FindBreaches(const std::vector<Library>& libraries,
                                      const std::vector<SourceFile>& files) {
  Breaches breaches;
  CheckEdges(libraries, breaches);
  auto cycle = CycleSearch(libraries).Run();
  if (cycle) breaches.push_back(*cycle);
  CheckFiles(libraries, files, breaches);
  return breaches;
}

}  // namespace mete
