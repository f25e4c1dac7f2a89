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

// From the bottom up, as in ARCHITECTURE.md. A folder may know its own row
// and the rows below.
const std::vector<std::set<std::string_view>>& Rows() {
  static const std::vector<std::set<std::string_view>> kRows{
      {"support"},
      {"config", "domain", "flags", "linux", "net", "stats"},
      {"bearing", "cgroups", "learn", "optimize", "ports", "zoo"},
      {"adapters", "collect", "control", "describe", "devices", "doctor",
       "jobs", "measure", "place", "predict", "report", "sweep", "watch"},
      {"agent", "serve"},
      {"cli"},
      {"wiring"},
      {"apps"}};
  return kRows;
}
constexpr size_t kVerbsAndAdapters = 3;

bool IsAdapter(std::string_view folder) {
  return folder.starts_with("adapters/");
}

// The row of a folder; absent when it has none.
std::optional<size_t> RowOf(std::string_view folder) {
  std::string_view top = folder.substr(0, folder.find('/'));
  for (size_t row = 0; row < Rows().size(); ++row) {
    if (Rows()[row].contains(top)) return row;
  }
  return std::nullopt;
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

// The library whose folder holds the path: "adapters/onnx" before "adapters".
const Library* Owner(const std::vector<Library>& libraries,
                     std::string_view path) {
  const Library* best = nullptr;
  for (const Library& library : libraries) {
    bool holds = path.starts_with(library.folder + "/");
    bool longer = !best || library.folder.size() > best->folder.size();
    if (holds && longer) best = &library;
  }
  return best;
}

struct Include {
  size_t line = 0;
  std::string path;
};

// The quoted includes; those in <> are other people's headers.
std::vector<Include> IncludesOf(const SourceFile& file) {
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

std::optional<std::string> JudgeInclude(const std::vector<Library>& libraries,
                                        const SourceFile& file,
                                        const Library& from,
                                        const Include& include) {
  bool test = file.path.ends_with("_test.cc");
  if (test && include.path.starts_with("tests/")) return std::nullopt;
  const Library* to = Owner(libraries, include.path);
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
    const Library* from = Owner(libraries, file.path);
    std::string name = file.path.substr(file.path.rfind('/') + 1);
    if (!from || file.path != from->folder + "/" + name ||
        std::ranges::count(from->files, name) == 0) {
      breaches.push_back(
          fmt::format("src/{}: listed by no mete_library", file.path));
      continue;
    }
    for (const Include& include : IncludesOf(file)) {
      auto breach = JudgeInclude(libraries, file, *from, include);
      if (breach) breaches.push_back(*breach);
    }
  }
}

// Why a folder may not depend on another; absent when it may.
std::optional<std::string> JudgeEdge(const Library& from,
                                     const std::string& to) {
  auto from_row = RowOf(from.folder), to_row = RowOf(to);
  if (!from_row || !to_row) return std::nullopt;  // said once, elsewhere
  if (*to_row > *from_row) return "which is a layer above";
  if (*from_row != kVerbsAndAdapters || *to_row != kVerbsAndAdapters) {
    return std::nullopt;
  }
  if (IsAdapter(from.folder)) {
    return IsAdapter(to) ? "but adapters do not know each other"
                         : "but adapters do not know verbs";
  }
  if (IsAdapter(to)) return "but verbs know ports, not adapters";
  return std::nullopt;
}

void CheckEdges(const std::vector<Library>& libraries, Breaches& breaches) {
  for (const Library& library : libraries) {
    if (!RowOf(library.folder)) {
      breaches.push_back(
          fmt::format("{}: has no layer; give it one in tools/layers/layers.cc",
                      library.folder));
    }
    std::vector<std::string> all = library.deps;
    Append(all, library.test_deps);
    for (const std::string& dep : all) {
      if (Find(libraries, dep)) continue;
      breaches.push_back(fmt::format("{}: depends on {}, which is no folder",
                                     library.folder, dep));
    }
    for (const std::string& dep : library.deps) {
      auto why = JudgeEdge(library, dep);
      if (!why) continue;
      breaches.push_back(
          fmt::format("{}: depends on {}, {}", library.folder, dep, *why));
    }
  }
}

// Depth-first search that names the first cycle it closes.
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
    size_t colon = line.find(':');
    size_t bar = line.find('|');
    size_t second = line.find('|', bar + 1);
    if (colon == std::string::npos || second == std::string::npos) {
      return Corrupt("not \"folder: deps | test deps | files\": " + line);
    }
    Library& library = by_folder[line.substr(0, colon)];
    library.folder = line.substr(0, colon);
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
