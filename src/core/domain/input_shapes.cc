#include "domain/input_shapes.h"

#include <fmt/format.h>

#include <algorithm>

#include "support/nearest.h"

namespace mete {
namespace {

Result<size_t> FindInput(const std::string& name,
                         const std::vector<GraphValue>& inputs) {
  std::vector<std::string> names;
  for (const GraphValue& input : inputs) {
    if (input.name == name) return names.size();
    names.push_back(input.name);
  }
  return InvalidInput(fmt::format("the network has no input '{}'{}", name,
                                  DidYouMean(name, names)));
}

// Determines a symbol; a second value must be the same.
Status Decide(const std::string& symbol, int64_t size,
              std::map<std::string, int64_t>& symbols) {
  if (symbol.empty()) return {};
  auto [place, fresh] = symbols.emplace(symbol, size);
  if (!fresh && place->second != size) {
    return InvalidInput(fmt::format("the size '{}' is given as {} and as {}",
                                    symbol, place->second, size));
  }
  return {};
}

Status Apply(const ShapeOverride& given, GraphValue& input,
             std::map<std::string, int64_t>& symbols) {
  if (!input.type.shape) {
    input.type.shape = KnownShape(given.sizes);
    return {};
  }
  Shape& shape = *input.type.shape;
  auto mismatch = [&] {
    return InvalidInput(fmt::format("input '{}' is {}, not {}", input.name,
                                    FormatShape(shape),
                                    FormatShape(KnownShape(given.sizes))));
  };
  if (shape.size() != given.sizes.size()) return mismatch();
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i].size && *shape[i].size != given.sizes[i]) return mismatch();
    if (!shape[i].size) {
      RETURN_IF_ERROR(Decide(shape[i].symbol, given.sizes[i], symbols));
    }
  }
  shape = KnownShape(given.sizes);
  return {};
}

bool IsOpen(const Shape& shape) {
  return std::ranges::any_of(shape, [](const Dimension& dimension) {
    return !dimension.size.has_value();
  });
}

bool NamesABatch(const Dimension& dimension) {
  return dimension.symbol == "N" ||
         dimension.symbol.find("batch") != std::string::npos;
}

bool IsChannels(const Dimension& dimension) {
  return dimension.size == 1 || dimension.size == 3 || dimension.size == 4;
}

// Sizes for the open axes of a picture; absent if this is none. Its channels
// are the second axis, or the last one if only that is fixed.
std::optional<std::vector<int64_t>> PictureSizes(const Shape& shape) {
  if (shape.size() != 4) return std::nullopt;
  constexpr int64_t kSide = 640;
  if (!shape[1].size && IsChannels(shape[3])) return {{1, kSide, kSide, 3}};
  const bool sides = !shape[2].size || !shape[3].size;
  const bool channels = !shape[1].size || IsChannels(shape[1]);
  if (sides && channels) return {{1, 3, kSide, kSide}};
  return std::nullopt;
}

// The shape with plausible numbers in place of open sizes, to paste and edit.
Shape ExampleShape(Shape shape, int64_t length) {
  const auto picture = PictureSizes(shape);
  // Layers, batch, units: the state of a recurrent network.
  const bool state = shape.size() == 3 && shape[0].size && shape[2].size &&
                     shape[1].symbol.empty();
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i].size) continue;
    int64_t size = i == 0 || state || NamesABatch(shape[i]) ? 1 : length;
    if (picture) size = (*picture)[i];
    shape[i] = Dimension{.size = size};
  }
  return shape;
}

// Remembers the sizes that an example gives to symbols.
void TakeSymbols(const Shape& open, const Shape& example,
                 std::map<std::string, int64_t>& symbols) {
  for (size_t i = 0; i < open.size(); ++i) {
    if (open[i].size || open[i].symbol.empty()) continue;
    symbols.emplace(open[i].symbol, *example[i].size);
  }
}

void SubstituteAll(BoundInputs& bound) {
  for (GraphValue& input : bound.inputs) {
    if (!input.type.shape) continue;
    input.type.shape = Substitute(*std::move(input.type.shape), bound.symbols);
  }
}

}  // namespace

Result<BoundInputs> BindInputs(const std::vector<GraphValue>& inputs,
                               const InputSizes& sizes) {
  if (sizes.batch < 1) {
    return InvalidInput(fmt::format("invalid batch of {}", sizes.batch));
  }
  BoundInputs bound{.inputs = inputs};
  for (const ShapeOverride& given : sizes.shapes) {
    ASSIGN_OR_RETURN(size_t place, FindInput(given.input, inputs));
    RETURN_IF_ERROR(Apply(given, bound.inputs[place], bound.symbols));
  }
  SubstituteAll(bound);
  for (GraphValue& input : bound.inputs) {
    if (!input.type.shape || input.type.shape->empty()) continue;
    Dimension& first = input.type.shape->front();
    if (first.size) continue;
    // Another input may have set the symbol to the same batch already.
    RETURN_IF_ERROR(Decide(first.symbol, sizes.batch, bound.symbols));
    first = Dimension{.size = sizes.batch};
  }
  SubstituteAll(bound);
  return bound;
}

Status CheckBatch(const std::vector<GraphValue>& bound, int64_t batch) {
  if (batch == 1 || bound.empty()) return {};
  for (const GraphValue& input : bound) {
    const auto& shape = input.type.shape;
    if (shape && !shape->empty() && shape->front().size == batch) return {};
  }
  return InvalidInput(fmt::format(
      "--batch {}: no input has an open first size (fixed by the network, "
      "--shape or --input)",
      batch));
}

Shape Substitute(Shape shape, const std::map<std::string, int64_t>& symbols) {
  for (Dimension& dimension : shape) {
    if (dimension.size || dimension.symbol.empty()) continue;
    auto found = symbols.find(dimension.symbol);
    if (found != symbols.end()) dimension = Dimension{.size = found->second};
  }
  return shape;
}

std::vector<ShapeOverride> ExampleShapes(const std::vector<GraphValue>& inputs,
                                         int64_t length) {
  std::vector<ShapeOverride> examples;
  std::map<std::string, int64_t> symbols;
  for (const GraphValue& input : inputs) {
    if (!input.type.shape) continue;
    const Shape open = Substitute(*input.type.shape, symbols);
    if (!IsOpen(open)) continue;
    const Shape example_shape = ExampleShape(open, length);
    TakeSymbols(open, example_shape, symbols);
    ShapeOverride example{.input = input.name, .sizes = {}};
    for (const Dimension& size : example_shape) {
      example.sizes.push_back(*size.size);
    }
    examples.push_back(std::move(example));
  }
  return examples;
}

std::optional<std::string> OpenInputsNote(const std::vector<GraphValue>& inputs,
                                          int64_t length) {
  std::vector<std::string> open;
  std::string flags;
  auto add = [&](const std::string& state, const ShapeOverride& example) {
    open.push_back(fmt::format("input '{}' {}", example.input, state));
    flags += " --shape " + ToString(example);
  };
  const std::vector<ShapeOverride> examples = ExampleShapes(inputs, length);
  for (const GraphValue& input : inputs) {
    if (!input.type.shape) {
      add("has no stated shape", {.input = input.name, .sizes = {1, length}});
      continue;
    }
    auto example =
        std::ranges::find(examples, input.name, &ShapeOverride::input);
    if (example == examples.end()) continue;
    add("is " + FormatShape(*input.type.shape), *example);
  }
  if (open.empty()) return std::nullopt;
  return fmt::format("{}; give the open sizes, e.g.{}", fmt::join(open, ", "),
                     flags);
}

}  // namespace mete
