#include "measure/torch_program.h"

#include <unistd.h>

#include "support/text.h"

namespace mete {
namespace {

bool CanRun(const std::filesystem::path& file) {
  std::error_code error;
  return std::filesystem::is_regular_file(file, error) &&
         access(file.c_str(), X_OK) == 0;
}

Error NotHere() {
  return Unavailable(
      "mete-torch is not installed: apt install libtorch-dev libmatio-dev, "
      "then ./dev build");
}

}  // namespace

Result<std::filesystem::path> FindTorch(const TorchPlaces& places) {
  std::vector<std::filesystem::path> folders = {places.beside};
  for (const std::string& folder : SplitAt(places.path, ':')) {
    if (!folder.empty()) folders.emplace_back(folder);
  }
  for (const std::filesystem::path& folder : folders) {
    std::filesystem::path file = folder / kTorchProgram;
    if (CanRun(file)) return file;
  }
  return NotHere();
}

Result<std::vector<std::string>> WithTorchFound(
    std::vector<std::string> arguments, const TorchPlaces& places) {
  if (arguments.empty()) return arguments;
  std::filesystem::path program = arguments[0];
  if (program.filename() != kTorchProgram) return arguments;
  if (program.has_parent_path()) {
    if (!CanRun(program)) return NotHere();
    return arguments;
  }
  ASSIGN_OR_RETURN(std::filesystem::path file, FindTorch(places));
  arguments[0] = file.string();
  return arguments;
}

}  // namespace mete
