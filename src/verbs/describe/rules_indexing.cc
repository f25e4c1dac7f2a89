// Operators that select elements: Slice, Gather, Scatter, and those whose
// number of results depends on the data.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "describe/fold.h"
#include "describe/operator_rules.h"

namespace mete {
namespace {

using Elements = std::vector<std::optional<int64_t>>;

// What a Slice selects along one axis.
struct Cut {
  std::optional<int64_t> start;
  std::optional<int64_t> end;
  std::optional<int64_t> step;
};

// A list of a Slice: an attribute in old operator sets, otherwise an input.
std::optional<Elements> SliceList(const NodeView& view,
                                  std::string_view attribute, size_t input) {
  if (view.node().Find(attribute) != nullptr) {
    auto values = view.node().Integers(attribute);
    return Elements(values.begin(), values.end());
  }
  return view.In(input).integers;
}

// The cut along every axis. Absent when even the axes are unknown.
Result<std::optional<std::vector<std::optional<Cut>>>> ReadCuts(
    const NodeView& view, size_t rank) {
  using Cuts = std::vector<std::optional<Cut>>;
  auto starts = SliceList(view, "starts", 1);
  auto ends = SliceList(view, "ends", 2);
  auto axes = SliceList(view, "axes", 3);
  auto steps = SliceList(view, "steps", 4);
  bool axes_given = view.Has(3) || view.node().Find("axes") != nullptr;
  if (axes_given && !axes) return std::optional<Cuts>();
  size_t count = axes     ? axes->size()
                 : starts ? starts->size()
                 : ends   ? ends->size()
                          : SIZE_MAX;
  if (count == SIZE_MAX) return std::optional<Cuts>();
  auto fits = [&](const std::optional<Elements>& list) {
    return !list || list->size() == count;
  };
  if (!fits(starts) || !fits(ends) || !fits(steps) || count > rank) {
    return Contradiction("starts, ends, axes and steps have different lengths");
  }
  Cuts cuts(rank);
  for (size_t i = 0; i < count; ++i) {
    size_t axis = i;
    if (axes) {
      if (!(*axes)[i]) return std::optional<Cuts>();
      ASSIGN_OR_RETURN(axis, NormalizeAxis(*(*axes)[i], rank));
    }
    Cut cut{.step = 1};
    if (starts) cut.start = (*starts)[i];
    if (ends) cut.end = (*ends)[i];
    if (view.Has(4)) cut.step = steps ? (*steps)[i] : std::nullopt;
    if (cut.step == 0) return Contradiction("the step of a slice is 0");
    cuts[axis] = cut;
  }
  return std::optional<Cuts>(std::move(cuts));
}

// The first element and the number of elements that a cut selects from `size`.
struct Taken {
  int64_t first;
  int64_t count;
};

Taken TakenBy(const Cut& cut, int64_t size) {
  if (size == 0) return {0, 0};
  Wide step = *cut.step;
  Wide start = *cut.start < 0 ? Wide{*cut.start} + size : Wide{*cut.start};
  Wide end = *cut.end < 0 ? Wide{*cut.end} + size : Wide{*cut.end};
  if (step > 0) {
    start = std::clamp<Wide>(start, 0, size);
    end = std::clamp<Wide>(end, 0, size);
  } else {
    start = std::clamp<Wide>(start, 0, Wide{size} - 1);
    end = std::clamp<Wide>(end, -1, Wide{size} - 1);
  }
  Wide span = step > 0 ? end - start : start - end;
  Wide stride = step > 0 ? step : -step;
  Wide count = span <= 0 ? Wide{0} : (span + stride - 1) / stride;
  return {static_cast<int64_t>(start), static_cast<int64_t>(count)};
}

Dimension CutDimension(const std::optional<Cut>& cut, const Dimension& size) {
  if (!cut) return size;
  if (!cut->start || !cut->end || !cut->step) return {};
  if (size.size) return {.size = TakenBy(*cut, *size.size).count};
  bool all = *cut->start == 0 && *cut->step == 1 &&
             *cut->end >= std::numeric_limits<int32_t>::max();
  return all ? size : Dimension{};
}

Status Slicing(NodeView& view) {
  view.Set(0, view.In(0).type, std::nullopt);
  const Shape* input = view.InShape(0);
  if (input == nullptr) return {};
  ASSIGN_OR_RETURN(auto cuts, ReadCuts(view, input->size()));
  Shape shape = OpenShape(input->size());
  for (size_t i = 0; cuts && i < shape.size(); ++i) {
    shape[i] = CutDimension((*cuts)[i], (*input)[i]);
  }
  view.Set(0, view.In(0).type, std::move(shape));
  return {};
}

void FoldSlice(NodeView& view) {
  if (!CanFold(view)) return;
  const Shape& input = *view.InShape(0);
  auto cuts = ReadCuts(view, input.size());
  if (!cuts.ok() || !*cuts) return;
  FoldByPosition(view, [&](const auto& position, const auto& strides) {
    size_t place = 0;
    for (size_t i = 0; i < position.size(); ++i) {
      auto along = static_cast<int64_t>(position[i]);
      if (const auto& cut = (**cuts)[i]) {
        along = TakenBy(*cut, *input[i].size).first + along * *cut->step;
      }
      place += static_cast<size_t>(along) * strides[i];
    }
    return place;
  });
}

Status Gathering(NodeView& view) {  // Gather
  view.Set(0, view.In(0).type, std::nullopt);
  const Shape* data = view.InShape(0);
  const Shape* indices = view.InShape(1);
  if (data == nullptr || indices == nullptr) return {};
  ASSIGN_OR_RETURN(size_t axis,
                   NormalizeAxis(view.node().Integer("axis", 0), data->size()));
  auto split = data->begin() + static_cast<ptrdiff_t>(axis);
  Shape shape(data->begin(), split);
  shape.insert(shape.end(), indices->begin(), indices->end());
  shape.insert(shape.end(), split + 1, data->end());
  view.Set(0, view.In(0).type, std::move(shape));
  return {};
}

// Shape arithmetic gathers only from vectors.
void FoldGather(NodeView& view) {
  const Shape* data = view.InShape(0);
  auto indices = view.InIntegers(1);
  if (!indices || data == nullptr || data->size() != 1 || !(*data)[0].size) {
    return;
  }
  if (!view.In(0).integers && !view.In(0).reals) return;
  std::vector<size_t> places;
  int64_t size = *(*data)[0].size;
  for (int64_t index : *indices) {
    if (index < -size || index >= size) return;
    places.push_back(static_cast<size_t>(index < 0 ? index + size : index));
  }
  FoldByPlaces(view, 0, 0, places);
}

Status LikeIndices(NodeView& view) {  // GatherElements
  view.Set(0, view.In(0).type, view.In(1).shape);
  return {};
}

Status GatheringTuples(NodeView& view) {  // GatherND
  view.Set(0, view.In(0).type, std::nullopt);
  const Shape* data = view.InShape(0);
  const Shape* indices = view.InShape(1);
  if (data == nullptr || indices == nullptr || indices->empty() ||
      !indices->back().size) {
    return {};
  }
  int64_t batch = view.node().Integer("batch_dims", 0);
  int64_t tuple = *indices->back().size;
  auto rank = static_cast<int64_t>(data->size());
  if (batch < 0 || batch > rank || tuple > rank - batch) {
    return Contradiction(
        fmt::format("tuples of {} do not index {}", tuple, FormatShape(*data)));
  }
  Shape shape(indices->begin(), indices->end() - 1);
  shape.insert(shape.end(),
               data->begin() + static_cast<ptrdiff_t>(batch + tuple),
               data->end());
  view.Set(0, view.In(0).type, std::move(shape));
  return {};
}

Status FindingNonZeros(NodeView& view) {  // NonZero
  Shape shape = OpenShape(2);
  const Shape* input = view.InShape(0);
  if (input != nullptr) {
    shape[0].size = static_cast<int64_t>(std::max<size_t>(1, input->size()));
  }
  if (auto content = view.InIntegers(0)) {
    shape[1].size = std::count_if(content->begin(), content->end(),
                                  [](int64_t element) { return element != 0; });
  } else if (const auto& reals = view.In(0).reals) {
    shape[1].size = std::count_if(reals->begin(), reals->end(),
                                  [](double element) { return element != 0; });
  } else {
    view.MarkDataDependent();
  }
  view.Set(0, ElementType::kInt64, std::move(shape));
  return {};
}

Status Suppressing(NodeView& view) {  // NonMaxSuppression
  view.MarkDataDependent();
  view.Set(0, ElementType::kInt64, Shape{Dimension{}, Dimension{.size = 3}});
  return {};
}

Status Compressing(NodeView& view) {  // Compress
  view.MarkDataDependent();
  view.Set(0, view.In(0).type, OpenShape(1));
  const Shape* input = view.InShape(0);
  if (view.node().Find("axis") == nullptr) return {};
  view.Set(0, view.In(0).type, std::nullopt);
  if (input == nullptr) return {};
  ASSIGN_OR_RETURN(size_t axis, NormalizeAxis(view.node().Integer("axis", 0),
                                              input->size()));
  Shape shape = *input;
  shape[axis] = Dimension{};
  view.Set(0, view.In(0).type, std::move(shape));
  return {};
}

Status FindingUnique(NodeView& view) {  // Unique
  RETURN_IF_ERROR(Compressing(view));
  for (size_t i = 1; i < 4; ++i) {
    view.Set(i, ElementType::kInt64, OpenShape(1));
  }
  return {};
}

constexpr OperatorRule kIndexingRules[] = {
    {"Slice", Slicing, Movement, FoldSlice},
    {"Gather", Gathering, Movement, FoldGather},
    {"GatherElements", LikeIndices, Movement},
    {"GatherND", GatheringTuples, Movement},
    {"Scatter", SameAsFirst, Movement},
    {"ScatterElements", SameAsFirst, Movement},
    {"ScatterND", SameAsFirst, Movement},
    {"TensorScatter", SameAsFirst, Movement},
    {"NonZero", FindingNonZeros, Movement},
    {"NonMaxSuppression", Suppressing, Movement},
    {"Compress", Compressing, Movement},
    {"Unique", FindingUnique, Movement},
};

}  // namespace

std::span<const OperatorRule> IndexingRules() { return kIndexingRules; }

}  // namespace mete
