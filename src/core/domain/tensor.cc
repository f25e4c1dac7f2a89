#include "domain/tensor.h"

#include <fmt/format.h>

#include <charconv>

namespace mete {
namespace {

struct TypeFacts {
  std::string_view name;
  int bits;
};

TypeFacts FactsFor(ElementType type) {
  switch (type) {
    case ElementType::kFloat:
      return {"float32", 32};
    case ElementType::kUint8:
      return {"uint8", 8};
    case ElementType::kInt8:
      return {"int8", 8};
    case ElementType::kUint16:
      return {"uint16", 16};
    case ElementType::kInt16:
      return {"int16", 16};
    case ElementType::kInt32:
      return {"int32", 32};
    case ElementType::kInt64:
      return {"int64", 64};
    case ElementType::kString:
      return {"string", 0};
    case ElementType::kBool:
      return {"bool", 8};
    case ElementType::kFloat16:
      return {"float16", 16};
    case ElementType::kDouble:
      return {"float64", 64};
    case ElementType::kUint32:
      return {"uint32", 32};
    case ElementType::kUint64:
      return {"uint64", 64};
    case ElementType::kComplex64:
      return {"complex64", 64};
    case ElementType::kComplex128:
      return {"complex128", 128};
    case ElementType::kBfloat16:
      return {"bfloat16", 16};
    case ElementType::kFloat8E4M3FN:
      return {"float8e4m3fn", 8};
    case ElementType::kFloat8E4M3FNUZ:
      return {"float8e4m3fnuz", 8};
    case ElementType::kFloat8E5M2:
      return {"float8e5m2", 8};
    case ElementType::kFloat8E5M2FNUZ:
      return {"float8e5m2fnuz", 8};
    case ElementType::kUint4:
      return {"uint4", 4};
    case ElementType::kInt4:
      return {"int4", 4};
    case ElementType::kUndefined:
      break;
  }
  return {"undefined", 0};
}

// Counts stay below 2^63, so that sums and signed casts are safe.
std::optional<uint64_t> Multiply(uint64_t a, uint64_t b) {
  uint64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product) || product >> 63 != 0) {
    return std::nullopt;
  }
  return product;
}

}  // namespace

int BitsPerElement(ElementType type) { return FactsFor(type).bits; }

bool IsInteger(ElementType type) {
  switch (type) {
    case ElementType::kUint8:
    case ElementType::kInt8:
    case ElementType::kUint16:
    case ElementType::kInt16:
    case ElementType::kInt32:
    case ElementType::kInt64:
    case ElementType::kBool:
    case ElementType::kUint32:
    case ElementType::kUint64:
      return true;
    default:
      return false;
  }
}

std::string_view ToString(ElementType type) { return FactsFor(type).name; }

std::optional<uint64_t> ElementCount(const Shape& shape) {
  std::vector<int64_t> sizes;
  for (const Dimension& dimension : shape) {
    if (!dimension.size) return std::nullopt;
    sizes.push_back(*dimension.size);
  }
  return ElementCount(sizes);
}

std::optional<uint64_t> ElementCount(const std::vector<int64_t>& sizes) {
  uint64_t count = 1;
  for (int64_t size : sizes) {
    if (size < 0) return std::nullopt;
    auto product = Multiply(count, static_cast<uint64_t>(size));
    if (!product) return std::nullopt;
    count = *product;
  }
  return count;
}

std::optional<uint64_t> ByteCount(ElementType type, const Shape& shape) {
  auto count = ElementCount(shape);
  int bits = BitsPerElement(type);
  if (!count || bits == 0) return std::nullopt;
  auto total = Multiply(*count, static_cast<uint64_t>(bits));
  if (!total) return std::nullopt;
  return (*total + 7) / 8;
}

std::string FormatShape(const Shape& shape) {
  if (shape.empty()) return "scalar";
  std::vector<std::string> sizes;
  for (const Dimension& dimension : shape) {
    if (dimension.size) {
      sizes.push_back(std::to_string(*dimension.size));
    } else {
      sizes.push_back(dimension.symbol.empty() ? "?" : dimension.symbol);
    }
  }
  return fmt::format("{}", fmt::join(sizes, "x"));
}

Result<std::vector<int64_t>> ParseSizes(std::string_view text) {
  std::vector<int64_t> sizes;
  const char* position = text.data();
  const char* end = position + text.size();
  while (true) {
    int64_t size = 0;
    auto [rest, error] = std::from_chars(position, end, size);
    bool separated = rest == end || *rest == 'x';
    if (error != std::errc() || size < 1 || !separated) {
      return InvalidInput(
          fmt::format("'{}' is not a shape; write it like 1x3x224x224", text));
    }
    sizes.push_back(size);
    if (rest == end) break;
    position = rest + 1;
  }
  if (!ElementCount(sizes)) {
    return InvalidInput(
        fmt::format("the shape {} has too many elements", text));
  }
  return sizes;
}

Shape KnownShape(const std::vector<int64_t>& sizes) {
  Shape shape;
  for (int64_t size : sizes) shape.push_back({.size = size});
  return shape;
}

std::string ToString(const ShapeOverride& given) {
  return given.input + "=" + FormatShape(KnownShape(given.sizes));
}

Result<ShapeOverride> ParseShapeOverride(std::string_view text) {
  // Input names may contain '=' or 'x'; sizes contain neither '=' nor letters
  // except x.
  size_t equals = text.rfind('=');
  if (equals == std::string_view::npos || equals == 0) {
    return InvalidInput(fmt::format(
        "'{}' has no input name; write it like input=1x3x224x224", text));
  }
  ASSIGN_OR_RETURN(auto sizes, ParseSizes(text.substr(equals + 1)));
  return ShapeOverride{std::string(text.substr(0, equals)), std::move(sizes)};
}

}  // namespace mete
