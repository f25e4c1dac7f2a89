// Reads signals from MATLAB files (version 5, compressed or not) with matio.
#pragma once

#include "ports/signal_reader.h"

namespace mete {

// Reads variables, fields of structures and named channels.
class MatReader : public SignalReader {
 public:
  Result<std::vector<float>> Read(const std::filesystem::path& file,
                                  const SignalPlace& place) override;
};

}  // namespace mete
