// Signals in MATLAB files (version 5, compressed or not), through matio.
#pragma once

#include "ports/signal_reader.h"

namespace mete {

class MatReader : public SignalReader {
 public:
  Result<std::vector<float>> Read(const std::filesystem::path& file,
                                  const SignalPlace& place) override;
};

}  // namespace mete
