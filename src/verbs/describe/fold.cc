#include "describe/fold.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/check.h"

namespace mete {
namespace {

std::optional<int64_t> DivideFloor(int64_t a, int64_t b) {
  int64_t quotient = a / b;
  return (a % b != 0 && (a < 0) != (b < 0)) ? quotient - 1 : quotient;
}

// The two cases of division that are undefined in C++.
bool Undivided(int64_t a, int64_t b) {
  return b == 0 || (a == std::numeric_limits<int64_t>::min() && b == -1);
}

std::optional<int64_t> Power(int64_t base, int64_t exponent) {
  if (exponent < 0 || exponent > 63) return std::nullopt;
  int64_t power = 1;
  for (int64_t i = 0; i < exponent; ++i) {
    if (__builtin_mul_overflow(power, base, &power)) return std::nullopt;
  }
  return power;
}

}  // namespace

std::optional<size_t> SmallCount(const std::optional<Shape>& shape) {
  if (!shape) return std::nullopt;
  auto count = ElementCount(*shape);
  if (!count || *count > kMaxContent) return std::nullopt;
  return static_cast<size_t>(*count);
}

std::vector<size_t> ComputeStrides(const Shape& shape) {
  std::vector<size_t> strides(shape.size(), 1);
  for (size_t i = shape.size(); i-- > 1;) {
    strides[i - 1] = strides[i] * static_cast<size_t>(*shape[i].size);
  }
  return strides;
}

std::vector<size_t> ToPosition(size_t index, const Shape& shape) {
  std::vector<size_t> position(shape.size(), 0);
  for (size_t i = shape.size(); i-- > 0;) {
    auto size = static_cast<size_t>(*shape[i].size);
    position[i] = index % size;
    index /= size;
  }
  return position;
}

void FoldByPlaces(NodeView& view, size_t input, size_t output,
                  const std::vector<size_t>& source) {
  const ValueFacts& from = view.In(input);
  if (from.integers) {
    std::vector<std::optional<int64_t>> content;
    for (size_t place : source) {
      CHECK(place < from.integers->size()) << "folding past the content";
      content.push_back((*from.integers)[place]);
    }
    view.SetIntegers(output, std::move(content));
  }
  if (from.reals) {
    std::vector<double> content;
    for (size_t place : source) {
      CHECK(place < from.reals->size()) << "folding past the content";
      content.push_back((*from.reals)[place]);
    }
    view.SetReals(output, std::move(content));
  }
}

bool CanFold(const NodeView& view) {
  return SmallCount(view.Out(0).shape) &&
         (view.In(0).integers || view.In(0).reals);
}

void FoldByPosition(NodeView& view, const PlaceFor& place_for) {
  const Shape& to = *view.Out(0).shape;
  const std::vector<size_t> strides = ComputeStrides(*view.InShape(0));
  const size_t count = *SmallCount(to);
  std::vector<size_t> places;
  for (size_t index = 0; index < count; ++index) {
    places.push_back(place_for(ToPosition(index, to), strides));
  }
  FoldByPlaces(view, 0, 0, places);
}

std::vector<size_t> BroadcastPlaces(const Shape& from, const Shape& to) {
  std::vector<size_t> places;
  std::vector<size_t> strides = ComputeStrides(from);
  size_t shift = to.size() - from.size();
  size_t count = SmallCount(to).value_or(0);
  for (size_t index = 0; index < count; ++index) {
    std::vector<size_t> position = ToPosition(index, to);
    size_t place = 0;
    for (size_t i = 0; i < from.size(); ++i) {
      if (from[i].size != 1) place += position[i + shift] * strides[i];
    }
    places.push_back(place);
  }
  return places;
}

std::optional<int64_t> Combine(std::string_view op, int64_t a, int64_t b) {
  int64_t result = 0;
  if (op == "Add" || op == "Sum") {
    if (__builtin_add_overflow(a, b, &result)) return std::nullopt;
  } else if (op == "Sub") {
    if (__builtin_sub_overflow(a, b, &result)) return std::nullopt;
  } else if (op == "Mul") {
    if (__builtin_mul_overflow(a, b, &result)) return std::nullopt;
  } else if (op == "Div") {
    if (Undivided(a, b)) return std::nullopt;
    result = a / b;
  } else if (op == "Mod") {
    if (Undivided(a, b)) return std::nullopt;
    result = a - *DivideFloor(a, b) * b;
  } else if (op == "Pow") {
    return Power(a, b);
  } else if (op == "Max") {
    result = std::max(a, b);
  } else if (op == "Min") {
    result = std::min(a, b);
  } else if (op == "And") {
    result = a != 0 && b != 0;
  } else if (op == "Or") {
    result = a != 0 || b != 0;
  } else if (op == "Xor") {
    result = (a != 0) != (b != 0);
  } else {
    return std::nullopt;
  }
  return result;
}

std::optional<double> Combine(std::string_view op, double a, double b) {
  if (op == "Add" || op == "Sum") return a + b;
  if (op == "Sub") return a - b;
  if (op == "Mul") return a * b;
  if (op == "Div") return b == 0 ? std::optional<double>() : a / b;
  if (op == "Pow") return std::pow(a, b);
  if (op == "Max") return std::max(a, b);
  if (op == "Min") return std::min(a, b);
  return std::nullopt;
}

}  // namespace mete
