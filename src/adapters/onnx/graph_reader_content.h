// The elements of a tensor: always counted, kept only when they are few.
#pragma once

#include <cstdint>

#include "adapters/onnx/wire_reader.h"
#include "domain/graph.h"
#include "support/result.h"

namespace mete {

// Fields of TensorProto (onnx.proto).
enum TensorField : uint32_t {
  kDims = 1,
  kDataType = 2,
  kFloatData = 4,
  kInt32Data = 5,
  kStringData = 6,
  kInt64Data = 7,
  kName = 8,
  kRawData = 9,
  kDoubleData = 10,
  kUint64Data = 11,
  kExternalData = 13,
  kDataLocation = 14,
};

// True if the content of a tensor of this type and size is kept.
bool IsKept(const Constant& constant);

// Appends all elements, stored as little-endian bytes from `offset`.
Status AppendRaw(ByteSource& source, uint64_t offset, Constant& constant);

// How many numbers of the typed field form `elements` elements.
uint64_t TypedNumbers(ElementType type, uint64_t elements);

// Counts the numbers in the field that ONNX defines for the tensor's type
// (float_data for float32, …), and appends them if they are kept.
Result<uint64_t> ReadTypedNumbers(const WireReader& message,
                                  Constant& constant);

}  // namespace mete
