#include "adapters/onnxruntime/library.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <onnxruntime_c_api.h>

namespace mete {
namespace {

// The function table only grows at its end, so requesting an old version works
// with every newer library. 17 is the oldest we have tried; the functions we
// call are older still.
constexpr uint32_t kApiVersion = 17;

constexpr const char* kRemedy =
    "run ./dev build, install your system's libonnxruntime, or set "
    "METE_ONNXRUNTIME=/path/to/libonnxruntime.so";

Result<OrtLibrary> OpenFile(const std::filesystem::path& path) {
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return Unavailable(dlerror());
  using GetBase = const OrtApiBase* (*)();
  auto get_base = reinterpret_cast<GetBase>(dlsym(handle, "OrtGetApiBase"));
  if (get_base == nullptr) {
    return Unsupported(fmt::format(
        "{} is not ONNX Runtime: it has no OrtGetApiBase", path.string()));
  }
  const OrtApiBase* base = get_base();
  std::string version = base->GetVersionString();
  const OrtApi* api = base->GetApi(kApiVersion);
  if (api == nullptr) {
    return Unsupported(
        fmt::format("{} is ONNX Runtime {}, but 1.{} or newer is required; {}",
                    path.string(), version, kApiVersion, kRemedy));
  }
  return OrtLibrary{.api = api, .version = std::move(version)};
}

}  // namespace

std::vector<std::filesystem::path> OrtLibraryCandidates(
    const std::filesystem::path& override_path) {
  if (!override_path.empty()) return {override_path};
  std::vector<std::filesystem::path> candidates;
  std::error_code error;
  auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (!error) {
    auto prefix = program.parent_path().parent_path();
    candidates.push_back(prefix / "lib" / "libonnxruntime.so.1");
  }
  candidates.push_back("libonnxruntime.so.1");
  candidates.push_back("libonnxruntime.so");
  return candidates;
}

Result<OrtLibrary> OpenOrtLibrary(
    const std::vector<std::filesystem::path>& candidates) {
  std::vector<std::string> tried;
  for (const auto& candidate : candidates) {
    auto library = OpenFile(candidate);
    // A library that exists but is too old ends the search: using a later one
    // would make the version depend on chance.
    if (library.ok() || library.error().code() == ErrorCode::kUnsupported) {
      return std::move(library).While("load ONNX Runtime");
    }
    tried.push_back(library.error().message());
  }
  return Unavailable(fmt::format("load ONNX Runtime: {} ({})", kRemedy,
                                 fmt::join(tried, "; ")));
}

}  // namespace mete
