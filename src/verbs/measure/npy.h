// Reads NumPy .npy files, which hold one array with its type and shape.
#pragma once

#include <filesystem>
#include <string_view>

#include "domain/tensor.h"
#include "support/result.h"

namespace mete {

// Supports formats 1.0 to 3.0, little endian, in C or Fortran order; Fortran
// order is converted to C order. Fails with kUnsupported on element types a
// network cannot take, and with kCorrupt on anything else.
Result<TensorValue> ParseNpy(std::string_view content);
Result<TensorValue> ReadNpy(const std::filesystem::path& path);

}  // namespace mete
