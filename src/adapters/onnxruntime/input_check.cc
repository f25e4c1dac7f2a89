#include "adapters/onnxruntime/input_check.h"

#include <fmt/format.h>

#include <algorithm>

#include "support/nearest.h"

namespace mete {
namespace {

bool Fits(const Shape& expected, const std::vector<int64_t>& sizes) {
  return std::ranges::equal(
      expected, sizes, [](const Dimension& axis, int64_t size) {
        return size >= 0 && (!axis.size || *axis.size == size);
      });
}

Status CheckValue(const GraphValue& expected, const TensorValue& given) {
  if (given.type != expected.type.type) {
    return InvalidInput(fmt::format(
        "is {}, not {}", ToString(expected.type.type), ToString(given.type)));
  }
  if (BitsPerElement(given.type) == 0) {
    return Unsupported(
        fmt::format("{} elements are not supported", ToString(given.type)));
  }
  Shape shape = KnownShape(given.sizes);
  if (expected.type.shape && !Fits(*expected.type.shape, given.sizes)) {
    return InvalidInput(fmt::format("is {}, not {}",
                                    FormatShape(*expected.type.shape),
                                    FormatShape(shape)));
  }
  auto bytes = ByteCount(given.type, shape);
  if (bytes != given.bytes.size()) {
    return InvalidInput(fmt::format("{} of {} does not match {} bytes",
                                    FormatShape(shape), ToString(given.type),
                                    given.bytes.size()));
  }
  return {};
}

Status CheckNames(const std::vector<GraphValue>& expected,
                  std::span<const TensorValue> given) {
  std::vector<std::string> names;
  for (const GraphValue& input : expected) names.push_back(input.name);
  for (const TensorValue& value : given) {
    if (std::ranges::count(names, value.name) == 0) {
      return InvalidInput(fmt::format("the network has no input '{}'{}",
                                      value.name,
                                      DidYouMean(value.name, names)));
    }
    if (std::ranges::count(given, value.name, &TensorValue::name) > 1) {
      return InvalidInput(
          fmt::format("the input '{}' is given twice", value.name));
    }
  }
  return {};
}

}  // namespace

Result<std::vector<size_t>> MatchInputs(const std::vector<GraphValue>& expected,
                                        std::span<const TensorValue> given) {
  RETURN_IF_ERROR(CheckNames(expected, given));
  std::vector<size_t> order;
  for (const GraphValue& input : expected) {
    auto found = std::ranges::find(given, input.name, &TensorValue::name);
    if (found == given.end()) {
      return InvalidInput(fmt::format("the input '{}' is missing", input.name));
    }
    RETURN_IF_ERROR(
        CheckValue(input, *found).While(fmt::format("input '{}'", input.name)));
    order.push_back(static_cast<size_t>(found - given.begin()));
  }
  return order;
}

}  // namespace mete
