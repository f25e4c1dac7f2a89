// Port: writes a generated network to a file.
#pragma once

#include <filesystem>

#include "domain/network_draft.h"
#include "support/result.h"

namespace mete {

// Writes network files.
class GraphWriter {
 public:
  virtual ~GraphWriter() = default;

  // Writes atomically. The same draft gives the same bytes on every machine.
  // Fails with kUnavailable, kPermissionDenied or kInvalidInput.
  virtual Status Write(const NetworkDraft& draft,
                       const std::filesystem::path& path) = 0;
};

}  // namespace mete
