#include "describe/constant_value.h"

namespace mete {
namespace {

// Float contents are needed only for sizes and scales, which are few. Larger
// tensors are biases and weights.
constexpr size_t kMaxReals = 64;

Constant MakeScalar(ElementType type, uint64_t bytes) {
  return {.type = type, .stored_bytes = bytes};
}

Constant MakeVector(ElementType type, size_t count, uint64_t bytes) {
  return {.type = type,
          .sizes = {static_cast<int64_t>(count)},
          .stored_bytes = bytes};
}

uint64_t TextBytes(const std::vector<std::string>& texts) {
  uint64_t bytes = 0;
  for (const std::string& text : texts) bytes += text.size();
  return bytes;
}

// How to read each attribute that a Constant node may have.
struct Reading {
  std::optional<Constant> operator()(const Constant& value) { return value; }
  std::optional<Constant> operator()(int64_t value) {
    Constant constant = MakeScalar(ElementType::kInt64, 8);
    constant.integers = {value};
    return constant;
  }
  std::optional<Constant> operator()(double value) {
    Constant constant = MakeScalar(ElementType::kFloat, 4);
    constant.reals = {value};
    return constant;
  }
  std::optional<Constant> operator()(const std::string& value) {
    return MakeScalar(ElementType::kString, value.size());
  }
  std::optional<Constant> operator()(const std::vector<int64_t>& values) {
    Constant constant =
        MakeVector(ElementType::kInt64, values.size(), values.size() * 8);
    constant.integers = values;
    return constant;
  }
  std::optional<Constant> operator()(const std::vector<double>& values) {
    Constant constant =
        MakeVector(ElementType::kFloat, values.size(), values.size() * 4);
    constant.reals = values;
    return constant;
  }
  std::optional<Constant> operator()(const std::vector<std::string>& values) {
    return MakeVector(ElementType::kString, values.size(), TextBytes(values));
  }
  template <typename Other>
  std::optional<Constant> operator()(const Other&) {
    return std::nullopt;
  }
};

}  // namespace

ValueFacts ToValueFacts(const Constant& constant) {
  ValueFacts value{.type = constant.type,
                   .shape = KnownShape(constant.sizes),
                   .constant = true};
  uint64_t count = ElementCount(constant.sizes).value_or(UINT64_MAX);
  if (constant.sparse || count > kMaxContent) return value;
  bool real = constant.type == ElementType::kFloat ||
              constant.type == ElementType::kDouble;
  if (real && constant.reals.size() == count && count <= kMaxReals) {
    value.reals = constant.reals;
  }
  if (!real && constant.integers.size() == count) {
    value.integers.emplace(constant.integers.begin(), constant.integers.end());
  }
  return value;
}

std::optional<Constant> FindConstant(const Node& node) {
  for (const Attribute& attribute : node.attributes) {
    if (auto constant = std::visit(Reading(), attribute.value)) {
      return constant;
    }
  }
  return std::nullopt;
}

ValueFacts ValueOfConstantNode(const Node& node) {
  auto constant = FindConstant(node);
  return constant ? ToValueFacts(*constant) : ValueFacts{.constant = true};
}

}  // namespace mete
