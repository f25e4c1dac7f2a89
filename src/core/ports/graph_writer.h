// Port: a network made by us, written as a file.
#pragma once

#include <filesystem>

#include "domain/network_draft.h"
#include "support/result.h"

namespace mete {

class GraphWriter {
 public:
  virtual ~GraphWriter() = default;

  // Writes whole or not at all; the same draft gives the same bytes on every
  // machine. Fails with kUnavailable, kPermissionDenied or kInvalidInput.
  virtual Status Write(const NetworkDraft& draft,
                       const std::filesystem::path& path) = 0;
};

}  // namespace mete
