// Concat and Split: join values into one, and split one into several.
#include <fmt/format.h>

#include <algorithm>

#include "describe/fold.h"
#include "describe/operator_rules.h"

namespace mete {
namespace {

// Adds `part` to the shape of the values joined so far.
Status Join(const Shape& part, size_t axis, Shape& joined) {
  if (part.size() != joined.size()) {
    return Contradiction(fmt::format("{} cannot be joined to {}",
                                     FormatShape(part), FormatShape(joined)));
  }
  for (size_t i = 0; i < joined.size(); ++i) {
    if (i == axis) {
      if (!joined[i].size || !part[i].size) {
        joined[i] = Dimension{};
        continue;
      }
      ASSIGN_OR_RETURN(joined[i],
                       DimensionFrom(Wide{*joined[i].size} + *part[i].size));
    } else if (!joined[i].size) {
      joined[i] = part[i];
    } else if (part[i].size && *part[i].size != *joined[i].size) {
      return Contradiction(
          fmt::format("{} cannot be joined to {} along axis {}",
                      FormatShape(part), FormatShape(joined), axis));
    }
  }
  return {};
}

// Indices of the joined values among the inputs. QLinearConcat has a scale and
// a zero point before all of them and after each.
std::vector<size_t> JoinedInputs(const NodeView& view) {
  bool quantized = view.node().op == "QLinearConcat";
  std::vector<size_t> places;
  for (size_t i = quantized ? 2 : 0; i < view.input_count();
       i += quantized ? 3 : 1) {
    places.push_back(i);
  }
  return places;
}

Status Joining(NodeView& view) {  // Concat
  std::vector<size_t> places = JoinedInputs(view);
  if (places.empty()) return Contradiction("there is nothing to join");
  ElementType type = view.In(places[0]).type;
  view.Set(0, type, std::nullopt);
  const Shape* first = view.InShape(places[0]);
  if (first == nullptr) return {};
  ASSIGN_OR_RETURN(size_t axis, NormalizeAxis(view.node().Integer("axis", 1),
                                              first->size()));
  Shape joined = *first;
  for (size_t i = 1; i < places.size(); ++i) {
    const Shape* part = view.InShape(places[i]);
    if (part == nullptr) return {};
    RETURN_IF_ERROR(Join(*part, axis, joined));
  }
  view.Set(0, type, std::move(joined));
  return {};
}

// Concatenates contents. Unknown content of an integer input becomes unknown
// elements.
void FoldJoin(NodeView& view) {
  // Along a later axis the parts would interleave, but shapes are vectors.
  if (!SmallCount(view.Out(0).shape) || view.Out(0).shape->size() != 1) return;
  std::vector<std::optional<int64_t>> integers;
  std::vector<double> reals;
  bool all_real = true;
  for (size_t i : JoinedInputs(view)) {
    const ValueFacts& part = view.In(i);
    size_t count = SmallCount(part.shape).value_or(0);
    if (part.reals) {
      reals.insert(reals.end(), part.reals->begin(), part.reals->end());
      continue;
    }
    all_real = false;
    if (part.integers) {
      integers.insert(integers.end(), part.integers->begin(),
                      part.integers->end());
    } else {
      integers.resize(integers.size() + count);
    }
  }
  if (all_real) {
    view.SetReals(0, std::move(reals));
  } else if (reals.empty() && view.Out(0).type != ElementType::kFloat) {
    view.SetIntegers(0, std::move(integers));
  }
}

// Sizes of the pieces along the axis. Open ones are unknown.
Result<std::vector<Dimension>> PieceSizes(const NodeView& view,
                                          const Dimension& whole) {
  size_t count = view.output_count();
  IntegerList stated = view.List("split", 1);
  if (stated.state == IntegerList::State::kUnknown) {
    return std::vector<Dimension>(count);
  }
  std::vector<Dimension> sizes;
  if (!stated.left_out()) {
    if (stated.values.size() != count) {
      return Contradiction(fmt::format("found {} sizes for {} pieces",
                                       stated.values.size(), count));
    }
    Wide sum = 0;
    for (int64_t value : stated.values) {
      ASSIGN_OR_RETURN(Dimension size, DimensionFrom(value));
      sizes.push_back(size);
      sum += value;
    }
    if (whole.size && sum != *whole.size) {
      return Contradiction(fmt::format("pieces of {} do not add up to {}",
                                       static_cast<int64_t>(sum), *whole.size));
    }
    return sizes;
  }
  if (!whole.size) return std::vector<Dimension>(count);
  auto pieces = static_cast<int64_t>(count);
  bool uneven = view.node().Find("num_outputs") != nullptr;
  if (!uneven && *whole.size % pieces != 0) {
    return Contradiction(fmt::format("{} cannot be split into {} equal pieces",
                                     *whole.size, pieces));
  }
  int64_t piece = *whole.size / pieces + (*whole.size % pieces != 0 ? 1 : 0);
  int64_t left = *whole.size;
  for (int64_t i = 0; i < pieces; ++i) {
    sizes.push_back(Dimension{.size = std::min(piece, left)});
    left -= *sizes.back().size;
  }
  return sizes;
}

Status Splitting(NodeView& view) {  // Split
  const Shape* input = view.InShape(0);
  for (size_t i = 0; i < view.output_count(); ++i) {
    view.Set(i, view.In(0).type, std::nullopt);
  }
  if (input == nullptr || view.output_count() == 0) return {};
  ASSIGN_OR_RETURN(size_t axis, NormalizeAxis(view.node().Integer("axis", 0),
                                              input->size()));
  ASSIGN_OR_RETURN(auto sizes, PieceSizes(view, (*input)[axis]));
  for (size_t i = 0; i < sizes.size(); ++i) {
    Shape shape = *input;
    shape[axis] = sizes[i];
    view.Set(i, view.In(0).type, std::move(shape));
  }
  return {};
}

// Shape arithmetic splits only vectors.
void FoldSplit(NodeView& view) {
  if (!view.In(0).integers || view.InShape(0)->size() != 1) return;
  size_t begin = 0;
  for (size_t i = 0; i < view.output_count(); ++i) {
    auto count = SmallCount(view.Out(i).shape);
    if (!count || begin + *count > view.In(0).integers->size()) return;
    auto from = view.In(0).integers->begin() + static_cast<ptrdiff_t>(begin);
    view.SetIntegers(i, {from, from + static_cast<ptrdiff_t>(*count)});
    begin += *count;
  }
}

constexpr OperatorRule kJoiningRules[] = {
    {"Concat", Joining, Movement, FoldJoin},
    {"QLinearConcat", Joining, Movement},
    {"Split", Splitting, Movement, FoldSplit},
};

}  // namespace

std::span<const OperatorRule> JoiningRules() { return kJoiningRules; }

}  // namespace mete
