// Operators that keep all elements and rearrange them: Reshape, Transpose,
// Concat, Split, Pad and others.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "describe/fold.h"
#include "describe/operator_rules.h"

namespace mete {
namespace {

// The sizes requested by a Reshape, with 0 and -1 as written. Absent ones are
// unknown.
using Target = std::vector<std::optional<int64_t>>;

std::optional<Target> ReadTarget(const NodeView& view) {
  if (view.node().Find("shape") != nullptr) {  // before operator set 5
    auto sizes = view.node().Integers("shape");
    return Target(sizes.begin(), sizes.end());
  }
  return view.In(1).integers;
}

// Sizes with 0 replaced by the input's size and -1 left open.
Result<Shape> CopiedSizes(const NodeView& view, const Target& target,
                          std::optional<size_t>& inferred) {
  const Shape* input = view.InShape(0);
  bool zero_is_zero = view.node().Integer("allowzero", 0) != 0;
  Shape shape;
  for (size_t i = 0; i < target.size(); ++i) {
    if (!target[i]) {
      shape.emplace_back();
    } else if (*target[i] == 0 && !zero_is_zero) {
      if (input != nullptr && i >= input->size()) {
        return Contradiction(
            fmt::format("cannot keep axis {} of {}", i, FormatShape(*input)));
      }
      shape.push_back(input == nullptr ? Dimension{} : (*input)[i]);
    } else if (*target[i] == -1 && !inferred) {
      inferred = i;
      shape.emplace_back();
    } else {
      ASSIGN_OR_RETURN(Dimension size, DimensionFrom(*target[i]));
      shape.push_back(size);
    }
  }
  return shape;
}

Error CannotReshape(const NodeView& view, const Shape& shape) {
  return Contradiction(fmt::format("{} cannot be reshaped to {}",
                                   FormatShape(*view.InShape(0)),
                                   FormatShape(shape)));
}

// Computes the only open size from the number of elements.
Status InferRest(const NodeView& view, Shape& shape) {
  auto total = CountElements(view.In(0)).value();
  if (!total) return {};
  Amount product = uint64_t{1};
  Dimension* open = nullptr;
  for (Dimension& size : shape) {
    if (size.size) {
      product = product * ComputeSize(size);
    } else if (open != nullptr) {
      return {};
    } else {
      open = &size;
    }
  }
  auto others = product.value();
  if (!others) return CannotReshape(view, shape);
  if (open == nullptr) {
    if (*others != *total) return CannotReshape(view, shape);
    return {};
  }
  if (*others == 0) return {};
  if (*total % *others != 0) return CannotReshape(view, shape);
  *open = Dimension{.size = static_cast<int64_t>(*total / *others)};
  return {};
}

Status Reshaping(NodeView& view) {
  view.Set(0, view.In(0).type, std::nullopt);
  auto target = ReadTarget(view);
  if (!target) {
    const Shape* rank = view.InShape(1);
    if (rank != nullptr && rank->size() == 1 && (*rank)[0].size &&
        *(*rank)[0].size <= 64) {
      view.Set(0, view.In(0).type,
               OpenShape(static_cast<size_t>(*(*rank)[0].size)));
    }
    return {};
  }
  std::optional<size_t> inferred;
  ASSIGN_OR_RETURN(Shape shape, CopiedSizes(view, *target, inferred));
  RETURN_IF_ERROR(InferRest(view, shape));
  view.Set(0, view.In(0).type, std::move(shape));
  return {};
}

Status Flattening(NodeView& view) {
  const Shape* input = view.InShape(0);
  view.Set(0, view.In(0).type, OpenShape(2));
  if (input == nullptr) return {};
  // The axis may be one past the last.
  ASSIGN_OR_RETURN(size_t axis, NormalizeAxis(view.node().Integer("axis", 1),
                                              input->size() + 1));
  if (view.node().Integer("axis", 1) < 0) {
    ASSIGN_OR_RETURN(axis, NormalizeAxis(view.node().Integer("axis", 1),
                                         std::max<size_t>(1, input->size())));
  }
  Shape shape = OpenShape(2);
  auto rows = ComputeSize(*input, 0, axis);
  auto columns = ComputeSize(*input, axis, input->size());
  if (auto size = rows.value()) shape[0].size = static_cast<int64_t>(*size);
  if (auto size = columns.value()) shape[1].size = static_cast<int64_t>(*size);
  if (!shape[0].size && axis == 1) shape[0] = (*input)[0];
  view.Set(0, view.In(0).type, std::move(shape));
  return {};
}

Status Squeezing(NodeView& view) {
  const Shape* input = view.InShape(0);
  view.Set(0, view.In(0).type, std::nullopt);
  IntegerList axes = view.List("axes", 1);
  if (input == nullptr || axes.state == IntegerList::State::kUnknown) return {};
  std::vector<bool> dropped(input->size(), false);
  for (int64_t axis : axes.values) {
    ASSIGN_OR_RETURN(size_t place, NormalizeAxis(axis, input->size()));
    dropped[place] = true;
  }
  Shape shape;
  for (size_t i = 0; i < input->size(); ++i) {
    const Dimension& size = (*input)[i];
    if (axes.left_out()) {
      if (!size.size) return {};  // it may be 1
      dropped[i] = *size.size == 1;
    } else if (dropped[i] && size.size && *size.size != 1) {
      return Contradiction(
          fmt::format("cannot drop axis {} of {}", i, FormatShape(*input)));
    }
    if (!dropped[i]) shape.push_back(size);
  }
  view.Set(0, view.In(0).type, std::move(shape));
  return {};
}

Status Unsqueezing(NodeView& view) {
  const Shape* input = view.InShape(0);
  view.Set(0, view.In(0).type, std::nullopt);
  IntegerList axes = view.List("axes", 1);
  if (input == nullptr || !axes.known()) return {};
  size_t rank = input->size() + axes.values.size();
  std::vector<bool> added(rank, false);
  for (int64_t axis : axes.values) {
    ASSIGN_OR_RETURN(size_t place, NormalizeAxis(axis, rank));
    if (added[place]) return Contradiction("an axis is added twice");
    added[place] = true;
  }
  Shape shape;
  size_t next = 0;
  for (size_t i = 0; i < rank; ++i) {
    shape.push_back(added[i] ? Dimension{.size = 1} : (*input)[next++]);
  }
  view.Set(0, view.In(0).type, std::move(shape));
  return {};
}

// The input axis that becomes each output axis.
Result<std::vector<size_t>> Permutation(const Node& node, size_t rank) {
  std::vector<size_t> permutation(rank);
  std::iota(permutation.rbegin(), permutation.rend(), 0);
  std::vector<int64_t> stated = node.Integers("perm");
  if (node.Find("perm") == nullptr) return permutation;
  std::vector<bool> used(rank, false);
  for (size_t i = 0; i < stated.size(); ++i) {
    ASSIGN_OR_RETURN(size_t axis, NormalizeAxis(stated[i], rank));
    if (i >= rank || used[axis]) return Contradiction("invalid permutation");
    used[axis] = true;
    permutation[i] = axis;
  }
  if (stated.size() != rank) return Contradiction("invalid permutation");
  return permutation;
}

Status Transposing(NodeView& view) {
  const Shape* input = view.InShape(0);
  view.Set(0, view.In(0).type, std::nullopt);
  if (input == nullptr) return {};
  ASSIGN_OR_RETURN(auto permutation, Permutation(view.node(), input->size()));
  Shape shape;
  for (size_t axis : permutation) shape.push_back((*input)[axis]);
  view.Set(0, view.In(0).type, std::move(shape));
  return {};
}

void FoldTranspose(NodeView& view) {
  if (!CanFold(view)) return;
  auto permutation = Permutation(view.node(), view.Out(0).shape->size());
  FoldByPosition(view, [&](const auto& position, const auto& strides) {
    size_t place = 0;
    for (size_t i = 0; i < position.size(); ++i) {
      place += position[i] * strides[(*permutation)[i]];
    }
    return place;
  });
}

Status Expanding(NodeView& view) {
  view.Set(0, view.In(0).type, std::nullopt);
  const Shape* input = view.InShape(0);
  const auto& target = view.In(1).integers;
  if (input == nullptr || !target) return {};
  Shape requested;
  for (const auto& size : *target) {
    if (size && *size < 0) {
      // -1 is not in the standard, but exporters write it for an unchanged
      // size.
      requested.push_back(Dimension{.size = 1});
    } else {
      requested.push_back(Dimension{.size = size});
    }
  }
  ASSIGN_OR_RETURN(Shape shape, Broadcast(*input, requested));
  view.Set(0, view.In(0).type, std::move(shape));
  return {};
}

void FoldExpand(NodeView& view) {
  if (!SmallCount(view.Out(0).shape) || !view.In(0).shape) return;
  if (!view.In(0).integers && !view.In(0).reals) return;
  FoldByPlaces(view, 0, 0,
               BroadcastPlaces(*view.InShape(0), *view.Out(0).shape));
}

Status Tiling(NodeView& view) {
  view.Set(0, view.In(0).type, std::nullopt);
  const Shape* input = view.InShape(0);
  if (input == nullptr) return {};
  Shape shape = OpenShape(input->size());
  const auto& repeats = view.In(1).integers;
  if (repeats && view.input_count() == 2) {
    if (repeats->size() != input->size()) {
      return Contradiction(fmt::format("found {} repeats for {}",
                                       repeats->size(), FormatShape(*input)));
    }
    for (size_t i = 0; i < shape.size(); ++i) {
      const auto& times = (*repeats)[i];
      if (!times || !(*input)[i].size) continue;
      ASSIGN_OR_RETURN(shape[i],
                       DimensionFrom(Wide{*(*input)[i].size} * *times));
    }
  }
  view.Set(0, view.In(0).type, std::move(shape));
  return {};
}

void FoldTile(NodeView& view) {
  if (!CanFold(view)) return;
  const Shape& input = *view.InShape(0);
  FoldByPosition(view, [&](const auto& position, const auto& strides) {
    size_t place = 0;
    for (size_t i = 0; i < position.size(); ++i) {
      place += position[i] % static_cast<size_t>(*input[i].size) * strides[i];
    }
    return place;
  });
}

// pads lists begins, then ends, of all axes or of those in `axes`.
Status Padding(NodeView& view) {
  view.Set(0, view.In(0).type, std::nullopt);
  const Shape* input = view.InShape(0);
  if (input == nullptr) return {};
  Shape shape = OpenShape(input->size());
  view.Set(0, view.In(0).type, shape);
  IntegerList pads = view.List("pads", 1);
  if (view.node().Find("paddings") != nullptr) {  // operator set 1
    pads = view.List("paddings", SIZE_MAX);
  }
  IntegerList axes = view.List("axes", 3);
  if (!pads.known() || axes.state == IntegerList::State::kUnknown) return {};
  if (axes.left_out()) {
    axes.values.resize(input->size());
    std::iota(axes.values.begin(), axes.values.end(), 0);
  }
  if (pads.values.size() != axes.values.size() * 2) {
    return Contradiction(fmt::format("found {} pads for {} axes",
                                     pads.values.size(), axes.values.size()));
  }
  shape = *input;
  for (size_t i = 0; i < axes.values.size(); ++i) {
    ASSIGN_OR_RETURN(size_t axis, NormalizeAxis(axes.values[i], input->size()));
    if (!shape[axis].size) continue;
    ASSIGN_OR_RETURN(shape[axis],
                     DimensionFrom(Wide{*shape[axis].size} + pads.values[i] +
                                   pads.values[i + axes.values.size()]));
  }
  // Open axes keep their symbol unless they are padded.
  for (size_t i = 0; i < axes.values.size(); ++i) {
    ASSIGN_OR_RETURN(size_t axis, NormalizeAxis(axes.values[i], input->size()));
    bool padded =
        pads.values[i] != 0 || pads.values[i + axes.values.size()] != 0;
    if (!shape[axis].size && padded) shape[axis] = Dimension{};
  }
  view.Set(0, view.In(0).type, std::move(shape));
  return {};
}

Result<Dimension> Times(const Dimension& size, Wide factor) {
  if (!size.size) return Dimension{};
  return DimensionFrom(Wide{*size.size} * factor);
}

Result<Dimension> Over(const Dimension& size, Wide divisor) {
  if (!size.size) return Dimension{};
  if (Wide{*size.size} % divisor != 0) {
    return Contradiction(fmt::format("{} cannot be divided into blocks of {}",
                                     *size.size,
                                     static_cast<int64_t>(divisor)));
  }
  return DimensionFrom(Wide{*size.size} / divisor);
}

Status MovingDepth(NodeView& view) {  // DepthToSpace, SpaceToDepth
  view.Set(0, view.In(0).type, std::nullopt);
  const Shape* input = view.InShape(0);
  if (input == nullptr) return {};
  int64_t block = view.node().Integer("blocksize", 0);
  if (input->size() != 4 || block < 1 || block > INT32_MAX) {
    return Contradiction(
        fmt::format("blocks of {} do not fit {}", block, FormatShape(*input)));
  }
  Wide area = Wide{block} * block;
  bool to_space = view.node().op == "DepthToSpace";
  Shape shape = *input;
  ASSIGN_OR_RETURN(
      shape[1], to_space ? Over((*input)[1], area) : Times((*input)[1], area));
  for (size_t i : {2, 3}) {
    ASSIGN_OR_RETURN(shape[i], to_space ? Times((*input)[i], block)
                                        : Over((*input)[i], block));
  }
  view.Set(0, view.In(0).type, std::move(shape));
  return {};
}

constexpr OperatorRule kRearrangingRules[] = {
    {"Reshape", Reshaping, Movement, FoldSame},
    {"Flatten", Flattening, Movement, FoldSame},
    {"Squeeze", Squeezing, Movement, FoldSame},
    {"Unsqueeze", Unsqueezing, Movement, FoldSame},
    {"Transpose", Transposing, Movement, FoldTranspose},
    {"Expand", Expanding, Movement, FoldExpand},
    {"Tile", Tiling, Movement, FoldTile},
    {"Pad", Padding, Movement},
    {"DepthToSpace", MovingDepth, Movement},
    {"SpaceToDepth", MovingDepth, Movement},
    {"Trilu", SameAsFirst, Movement},
    {"ReverseSequence", SameAsFirst, Movement},
};

}  // namespace

std::span<const OperatorRule> RearrangingRules() { return kRearrangingRules; }

}  // namespace mete
