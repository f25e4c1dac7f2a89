// Weights stored in files next to the network, and where these may be.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "support/result.h"

namespace mete {

// A reference of a tensor to its content in a file: ONNX's external_data.
struct ExternalReference {
  std::string location;  // a path relative to the network's folder
  uint64_t offset = 0;
  std::optional<uint64_t> length;  // absent: to the end of the file
};

// Fails with kCorrupt on an offset or length that is not a number.
Status SetExternalEntry(const std::string& key, const std::string& value,
                        ExternalReference& reference);

// A range of bytes that is known to exist.
struct ExternalRange {
  std::filesystem::path path;
  uint64_t offset = 0;
  uint64_t length = 0;
};

// The only folder from which weights of a network may be read: an untrusted
// network must not make us read /etc/shadow.
class ExternalFolder {
 public:
  // Absent: no folder, and every reference fails.
  explicit ExternalFolder(std::optional<std::filesystem::path> folder)
      : folder_(std::move(folder)) {}

  // Fails with kCorrupt when the path is absolute, leaves the folder (by ".."
  // or a symbolic link), is not a regular file, or the file is too short.
  Result<ExternalRange> Locate(const ExternalReference& reference) const;

 private:
  Result<std::filesystem::path> Resolve(const std::string& location) const;

  std::optional<std::filesystem::path> folder_;
};

}  // namespace mete
