// NumPy's .npy files: one array with its type and shape.
#pragma once

#include <filesystem>
#include <string_view>

#include "domain/tensor.h"
#include "support/result.h"

namespace mete {

// Formats 1.0 to 3.0, little endian, C or Fortran order (the latter is turned
// into the former). Fails with kCorrupt on anything else, kUnsupported on
// element types a network cannot take.
Result<TensorValue> ParseNpy(std::string_view content);
Result<TensorValue> ReadNpy(const std::filesystem::path& path);

}  // namespace mete
