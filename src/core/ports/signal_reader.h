// Port: reads recorded signals from measurement files.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "support/result.h"

namespace mete {

// Where a signal is in a file, by name: positions differ between files of a
// collection.
struct SignalPlace {
  std::string variable;
  std::string field;    // of a structure; empty: the variable is the signal
  std::string channel;  // of a field that lists channels, by their `Name`
};

// Reads signals.
class SignalReader {
 public:
  virtual ~SignalReader() = default;

  // All samples, in order. Fails with kNotFound (no such file, or no such name
  // in it) or kCorrupt.
  virtual Result<std::vector<float>> Read(const std::filesystem::path& file,
                                          const SignalPlace& place) = 0;
};

}  // namespace mete
