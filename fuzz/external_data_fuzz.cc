// Uses three lines as location, offset and length of external weights. What is
// accepted must be inside the network's folder and inside the file.
#include "adapters/onnx/external_data.h"

#include "fuzz/input.h"
#include "support/check.h"
#include "support/file.h"

namespace {

namespace fs = std::filesystem;

// A folder with weights next to a file that must not be read.
fs::path MakeFolder() {
  static const mete::ScratchFolder scratch = *mete::ScratchFolder::Create();
  const fs::path folder = scratch.path() / "network";
  fs::create_directories(folder / "sub");
  const std::string content(100, 'w');
  for (const fs::path& file :
       {scratch.path() / "secret", folder / "weights", folder / "sub/more"}) {
    CHECK(mete::WriteFileAtomically(file, content).ok());
  }
  fs::create_symlink("../secret", folder / "link");
  fs::create_symlink("..", folder / "up");
  fs::create_symlink("weights", folder / "good");
  return fs::canonical(folder);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  static const fs::path folder = MakeFolder();
  std::string_view rest = fuzz::ToText(bytes, size);
  mete::ExternalReference reference;
  for (const char* key : {"location", "offset", "length"}) {
    if (rest.empty()) break;
    const std::string value(fuzz::TakeLine(rest));
    if (!mete::SetExternalEntry(key, value, reference).ok()) return 0;
  }
  CHECK(!mete::ExternalFolder(std::nullopt).Locate(reference).ok());
  auto range = mete::ExternalFolder(folder).Locate(reference);
  if (!range.ok()) return 0;
  CHECK(range->path == folder / "weights" || range->path == folder / "sub/more")
      << range->path;
  CHECK(range->offset <= 100 && range->length <= 100 - range->offset);
  return 0;
}
