#include "adapters/onnx/graph_reader_types.h"

#include <fmt/format.h>

namespace mete {
namespace {

// TensorShapeProto.Dimension: a size, a symbol, or neither.
Result<Dimension> ReadDimension(const WireReader& message) {
  Dimension dimension;
  RETURN_IF_ERROR(ForEachField(message, [&](const WireField& field) -> Status {
    if (field.number == 1) {
      ASSIGN_OR_RETURN(dimension.size, ReadInteger(field));
      dimension.symbol.clear();
    } else if (field.number == 2) {
      ASSIGN_OR_RETURN(dimension.symbol, message.Text(field));
      dimension.size.reset();
    }
    return {};
  }));
  if (dimension.size && *dimension.size < 0) {
    return Corrupt(
        fmt::format("its shape has the negative size {}", *dimension.size));
  }
  return dimension;
}

Result<Shape> ReadShape(const WireReader& message) {
  Shape shape;
  RETURN_IF_ERROR(ForEachField(message, [&](const WireField& field) -> Status {
    if (field.number != 1) return {};
    if (shape.size() == kMaxRank) return Corrupt("it has too many axes");
    ASSIGN_OR_RETURN(WireReader inner, message.Inside(field));
    ASSIGN_OR_RETURN(Dimension dimension, ReadDimension(inner));
    shape.push_back(std::move(dimension));
    return {};
  }));
  std::vector<int64_t> known;
  for (const Dimension& dimension : shape) {
    if (dimension.size) known.push_back(*dimension.size);
  }
  if (!ElementCount(known)) {
    return Corrupt(
        fmt::format("its shape {} is implausible", FormatShape(shape)));
  }
  return shape;
}

// TypeProto.Tensor, and TypeProto.SparseTensor with the same fields.
Result<ValueType> ReadTensorType(const WireReader& message) {
  ValueType type;
  RETURN_IF_ERROR(ForEachField(message, [&](const WireField& field) -> Status {
    if (field.number == 1) {
      ASSIGN_OR_RETURN(int64_t number, ReadInteger(field));
      // Unknown types have no name and no size; the shape still counts.
      bool small = number >= 0 && number < 1000;
      type.type = static_cast<ElementType>(small ? number : 0);
      if (BitsPerElement(type.type) == 0 && type.type != ElementType::kString) {
        type.type = ElementType::kUndefined;
      }
    } else if (field.number == 2) {
      ASSIGN_OR_RETURN(WireReader inner, message.Inside(field));
      ASSIGN_OR_RETURN(type.shape, ReadShape(inner));
    }
    return {};
  }));
  return type;
}

Result<ValueType> ReadType(const WireReader& message) {
  constexpr uint32_t kTensorType = 1;
  constexpr uint32_t kSparseTensorType = 8;
  ValueType type;
  RETURN_IF_ERROR(ForEachField(message, [&](const WireField& field) -> Status {
    if (field.number != kTensorType && field.number != kSparseTensorType) {
      return {};
    }
    ASSIGN_OR_RETURN(WireReader inner, message.Inside(field));
    ASSIGN_OR_RETURN(type, ReadTensorType(inner));
    return {};
  }));
  return type;
}

}  // namespace

Result<GraphValue> ReadValueInfo(const WireReader& message) {
  GraphValue value;
  std::optional<WireField> type;
  RETURN_IF_ERROR(ForEachField(message, [&](const WireField& field) -> Status {
    if (field.number == 1) {
      ASSIGN_OR_RETURN(value.name, message.Text(field));
    } else if (field.number == 2) {
      type = field;
    }
    return {};
  }));
  if (value.name.empty()) return Corrupt("a value has no name");
  if (!type) return value;
  ASSIGN_OR_RETURN(WireReader inner, message.Inside(*type));
  ASSIGN_OR_RETURN(
      value.type, ReadType(inner).While(fmt::format("value '{}'", value.name)));
  return value;
}

}  // namespace mete
