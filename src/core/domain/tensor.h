// Element types, shapes and tensor values: the vocabulary of networks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/result.h"

namespace mete {

// The type of a tensor's elements. The numbers are those of ONNX's
// TensorProto.DataType, so reading and writing need no table.
enum class ElementType : int {
  kUndefined = 0,
  kFloat = 1,
  kUint8 = 2,
  kInt8 = 3,
  kUint16 = 4,
  kInt16 = 5,
  kInt32 = 6,
  kInt64 = 7,
  kString = 8,
  kBool = 9,
  kFloat16 = 10,
  kDouble = 11,
  kUint32 = 12,
  kUint64 = 13,
  kComplex64 = 14,
  kComplex128 = 15,
  kBfloat16 = 16,
  kFloat8E4M3FN = 17,
  kFloat8E4M3FNUZ = 18,
  kFloat8E5M2 = 19,
  kFloat8E5M2FNUZ = 20,
  kUint4 = 21,
  kInt4 = 22,
};

// 32 for kFloat, 4 for kInt4; 0 when an element has no fixed size (strings).
int BitsPerElement(ElementType type);
// Whole numbers of at least one byte, including bool.
bool IsInteger(ElementType type);
// "float32", "int8", …; "undefined" for unknown numbers.
std::string_view ToString(ElementType type);

// One axis: a size, or the name of a size that is determined later.
struct Dimension {
  std::optional<int64_t> size;
  std::string symbol;
  bool operator==(const Dimension&) const = default;
};

using Shape = std::vector<Dimension>;

// Number of elements; absent when an axis is unknown or negative, or when the
// product does not fit in 63 bits.
std::optional<uint64_t> ElementCount(const Shape& shape);
std::optional<uint64_t> ElementCount(const std::vector<int64_t>& sizes);
// Bytes of a tensor; sub-byte types are packed. Absent like ElementCount, and
// for element types without a size.
std::optional<uint64_t> ByteCount(ElementType type, const Shape& shape);

// "1x3x224x224", with symbols or ? where the size is open; "scalar" for rank 0.
std::string FormatShape(const Shape& shape);
// The inverse for known sizes: "1x3x224x224". Fails with kInvalidInput.
Result<std::vector<int64_t>> ParseSizes(std::string_view text);
Shape KnownShape(const std::vector<int64_t>& sizes);

// What is known about a value in a network.
struct ValueType {
  ElementType type = ElementType::kUndefined;
  std::optional<Shape> shape;  // absent: even the rank is unknown
};

// A tensor with its content, dense, in native byte order.
struct TensorValue {
  std::string name;
  ElementType type = ElementType::kFloat;
  std::vector<int64_t> sizes;
  std::vector<std::byte> bytes;
};

// A size given by the user for one network input: --shape input=1x3x224x224.
struct ShapeOverride {
  std::string input;
  std::vector<int64_t> sizes;
  bool operator==(const ShapeOverride&) const = default;
};

// "input=1x3x224x224".
std::string ToString(const ShapeOverride& given);
// The inverse. Fails with kInvalidInput.
Result<ShapeOverride> ParseShapeOverride(std::string_view text);

}  // namespace mete
