#include "predict/contention_files.h"

#include <fmt/format.h>

#include <vector>

#include "support/file.h"
#include "support/sha256.h"

namespace mete {
namespace {

constexpr std::string_view kContentionPrefix = "contention-";

// Device names may contain characters that file names must not.
std::string ContentionFileName(const std::string& device) {
  return fmt::format("{}{}.json", kContentionPrefix,
                     ComputeSha256(device).substr(0, 12));
}

Result<ContentionDocument> LoadContentionFile(
    const std::filesystem::path& path) {
  ASSIGN_OR_RETURN(std::string text, ReadFile(path));
  return ParseContentionDocument(text).While(path.string());
}

Result<std::vector<std::filesystem::path>> ContentionFilesIn(
    const std::filesystem::path& folder) {
  Result<std::vector<std::filesystem::path>> found = FilesIn(folder);
  if (!found.ok() && found.error().code() == ErrorCode::kNotFound) {
    return std::vector<std::filesystem::path>();
  }
  if (!found.ok()) return found.error();
  std::erase_if(*found, [](const std::filesystem::path& file) {
    std::string name = file.filename();
    return !name.starts_with(kContentionPrefix) || !name.ends_with(".json");
  });
  return found;
}

Error NoContentionPredictor(const std::string& device) {
  return Unavailable(fmt::format(
      "there is no predictor of contention{}; measure with mete contend, then "
      "run mete train contention",
      device.empty() ? "" : " for the device '" + device + "'"));
}

}  // namespace

Result<std::filesystem::path> SaveContentionPredictor(
    const std::filesystem::path& folder, const ContentionDocument& document) {
  RETURN_IF_ERROR(MakeFolder(folder));
  std::filesystem::path path = folder / ContentionFileName(document.device);
  RETURN_IF_ERROR(WriteFileAtomically(path, ContentionDocumentText(document)));
  return path;
}

Result<ContentionDocument> LoadContentionPredictor(
    const std::filesystem::path& folder, const std::string& device) {
  if (!device.empty()) {
    auto loaded = LoadContentionFile(folder / ContentionFileName(device));
    if (!loaded.ok() && loaded.error().code() == ErrorCode::kNotFound) {
      return NoContentionPredictor(device);
    }
    return loaded;
  }
  ASSIGN_OR_RETURN(auto files, ContentionFilesIn(folder));
  if (files.empty()) return NoContentionPredictor(device);
  if (files.size() == 1) return LoadContentionFile(files[0]);
  std::vector<std::string> devices;
  for (const std::filesystem::path& file : files) {
    ASSIGN_OR_RETURN(ContentionDocument one, LoadContentionFile(file));
    devices.push_back(one.device);
  }
  return InvalidInput(
      fmt::format("there are predictors of {} devices; choose one with "
                  "--device: {}",
                  devices.size(), fmt::join(devices, ", ")));
}

}  // namespace mete
