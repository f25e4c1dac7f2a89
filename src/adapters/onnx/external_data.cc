#include "adapters/onnx/external_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <system_error>

namespace mete {
namespace {

Result<uint64_t> ParseOffset(const std::string& text) {
  uint64_t value = 0;
  const char* end = text.data() + text.size();
  auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || rest != end || text.empty()) {
    return Corrupt(fmt::format("external data at '{}', which is not a number",
                               text.substr(0, 40)));
  }
  return value;
}

bool Climbs(const std::filesystem::path& path) {
  return std::any_of(path.begin(), path.end(),
                     [](const auto& part) { return part == ".."; });
}

bool IsInside(const std::filesystem::path& file,
              const std::filesystem::path& folder) {
  auto [left, right] =
      std::mismatch(folder.begin(), folder.end(), file.begin(), file.end());
  return left == folder.end();
}

}  // namespace

Status SetExternalEntry(const std::string& key, const std::string& value,
                        ExternalReference& reference) {
  if (key == "location") {
    reference.location = value;
  } else if (key == "offset") {
    ASSIGN_OR_RETURN(reference.offset, ParseOffset(value));
  } else if (key == "length") {
    ASSIGN_OR_RETURN(reference.length, ParseOffset(value));
  }
  return {};
}

Result<std::filesystem::path> ExternalFolder::Resolve(
    const std::string& location) const {
  std::filesystem::path path(location);
  bool strange = location.empty() || location.find('\0') != std::string::npos;
  if (strange || !folder_) {
    return Corrupt(
        fmt::format("its external data '{}' cannot be located", location));
  }
  if (path.is_absolute() || Climbs(path)) {
    return Corrupt(fmt::format(
        "its external data '{}' is outside the network's folder", location));
  }
  std::error_code error;
  std::filesystem::path root = std::filesystem::canonical(*folder_, error);
  if (error) return SystemError(folder_->string(), error.value());
  path = std::filesystem::canonical(root / path, error);
  if (error) {
    return Corrupt(fmt::format("its external data '{}' cannot be opened: {}",
                               location,
                               SystemError("open", error.value()).message()));
  }
  // A symbolic link may point anywhere.
  if (!IsInside(path, root)) {
    return Corrupt(fmt::format(
        "its external data '{}' is outside the network's folder", location));
  }
  return path;
}

Result<ExternalRange> ExternalFolder::Locate(
    const ExternalReference& reference) const {
  ASSIGN_OR_RETURN(auto path, Resolve(reference.location));
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) {
    return Corrupt(fmt::format("its external data '{}' is not a file",
                               reference.location));
  }
  uint64_t size = std::filesystem::file_size(path, error);
  if (error) return SystemError("read " + path.string(), error.value());
  uint64_t available = size - std::min(size, reference.offset);
  uint64_t length = reference.length.value_or(available);
  if (reference.offset > size || length > available) {
    return Corrupt(fmt::format(
        "its external data ends at byte {} of '{}', which has {}",
        length > UINT64_MAX - reference.offset ? UINT64_MAX
                                               : reference.offset + length,
        reference.location, size));
  }
  return ExternalRange{path, reference.offset, length};
}

}  // namespace mete
