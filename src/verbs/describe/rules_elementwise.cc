// Element-wise operators: activations, arithmetic, comparison, selection.
#include <cmath>
#include <numeric>

#include "describe/fold.h"
#include "describe/operator_rules.h"

namespace mete {
namespace {

// Sum, Mean, Max, Min of any number of inputs.
Cost CostOfMany(const NodeView& view) {
  uint64_t inputs = view.input_count();
  uint64_t operations = inputs == 0 ? 0 : inputs - 1;
  if (view.node().op == "Mean") ++operations;
  return {.cost_class = kElementwise,
          .flops = CountElements(view.Out(0)) * operations};
}

Result<std::optional<Shape>> CommonShape(const NodeView& view) {
  // Before operator set 7 the second operand was broadcast to the first.
  if (view.node().Find("broadcast") != nullptr) return view.In(0).shape;
  std::vector<size_t> all(view.input_count());
  std::iota(all.begin(), all.end(), 0);
  return BroadcastInputs(view, all);
}

Status Broadcasting(NodeView& view) {
  ASSIGN_OR_RETURN(auto shape, CommonShape(view));
  ElementType type = view.In(0).type;
  if (type == ElementType::kUndefined) type = view.In(1).type;
  view.Set(0, type, std::move(shape));
  return {};
}

Status Comparing(NodeView& view) {
  ASSIGN_OR_RETURN(auto shape, CommonShape(view));
  view.Set(0, ElementType::kBool, std::move(shape));
  return {};
}

Status Selecting(NodeView& view) {  // Where
  RETURN_IF_ERROR(Broadcasting(view));
  ElementType type = view.In(1).type;
  if (type == ElementType::kUndefined) type = view.In(2).type;
  view.Set(0, type, view.Out(0).shape);
  return {};
}

Status Testing(NodeView& view) {  // IsNaN, IsInf, Not
  view.Set(0, ElementType::kBool, view.In(0).shape);
  return {};
}

Status Casting(NodeView& view) {
  auto to = view.node().Integer("to", 0);
  // Before operator set 6 the attribute was the name of the type.
  bool known = to > 0 && to < 64;
  view.Set(0, known ? static_cast<ElementType>(to) : ElementType::kUndefined,
           view.In(0).shape);
  return {};
}

Status CastingLike(NodeView& view) {
  view.Set(0, view.In(1).type, view.In(0).shape);
  return {};
}

Status Dropping(NodeView& view) {  // Dropout
  RETURN_IF_ERROR(SameAsFirst(view));
  view.Set(1, ElementType::kBool, view.In(0).shape);
  return {};
}

std::optional<int64_t> Truncated(double value) {
  // Outside this range the conversion is undefined.
  if (!(std::abs(value) < 9e18)) return std::nullopt;
  return static_cast<int64_t>(value);
}

void FoldCast(NodeView& view) {
  const ValueFacts& from = view.In(0);
  ElementType type = view.Out(0).type;
  bool to_bool = type == ElementType::kBool;
  if (IsInteger(type)) {
    std::vector<std::optional<int64_t>> content;
    if (from.integers) {
      for (auto element : *from.integers) {
        if (to_bool && element) element = *element != 0;
        content.push_back(element);
      }
    } else if (from.reals) {
      for (double element : *from.reals) {
        content.push_back(to_bool ? element != 0 : Truncated(element));
      }
    } else {
      return;
    }
    view.SetIntegers(0, std::move(content));
    return;
  }
  auto known = view.InIntegers(0);
  if (from.reals) {
    view.SetReals(0, *from.reals);
  } else if (known) {
    view.SetReals(0, std::vector<double>(known->begin(), known->end()));
  }
}

std::optional<double> Unary(std::string_view op, double x) {
  if (op == "Neg") return -x;
  if (op == "Abs") return std::abs(x);
  if (op == "Floor") return std::floor(x);
  if (op == "Ceil") return std::ceil(x);
  if (op == "Round") return std::nearbyint(x);
  if (op == "Sqrt") return std::sqrt(x);
  if (op == "Exp") return std::exp(x);
  if (op == "Log") return std::log(x);
  if (op == "Reciprocal") return x == 0 ? std::optional<double>() : 1 / x;
  return std::nullopt;
}

std::optional<int64_t> Unary(std::string_view op, int64_t x) {
  if (op == "Not") return x == 0;
  if (op == "Neg") return Combine("Sub", int64_t{0}, x);
  if (op == "Abs") return x < 0 ? Combine("Sub", int64_t{0}, x) : x;
  return std::nullopt;
}

void FoldUnary(NodeView& view) {
  const std::string& op = view.node().op;
  if (view.In(0).integers) {
    std::vector<std::optional<int64_t>> content;
    for (const auto& element : *view.In(0).integers) {
      content.push_back(element ? Unary(op, *element) : std::nullopt);
    }
    view.SetIntegers(0, std::move(content));
  }
  if (view.In(0).reals) {
    std::vector<double> content;
    for (double element : *view.In(0).reals) {
      auto result = Unary(op, element);
      if (!result) return;
      content.push_back(*result);
    }
    view.SetReals(0, std::move(content));
  }
}

void FoldBinaryIntegers(NodeView& view, const std::vector<size_t>& left,
                        const std::vector<size_t>& right) {
  const auto& a = *view.In(0).integers;
  const auto& b = *view.In(1).integers;
  std::vector<std::optional<int64_t>> content;
  for (size_t i = 0; i < left.size(); ++i) {
    std::optional<int64_t> result;
    auto x = a[left[i]];
    auto y = b[right[i]];
    if (x && y) {
      result = Combine(view.node().op, *x, *y);
      if (auto holds = Compare(view.node().op, *x, *y)) result = *holds;
    }
    content.push_back(result);
  }
  view.SetIntegers(0, std::move(content));
}

void FoldBinaryReals(NodeView& view, const std::vector<size_t>& left,
                     const std::vector<size_t>& right) {
  std::vector<double> content;
  std::vector<std::optional<int64_t>> truths;
  for (size_t i = 0; i < left.size(); ++i) {
    double x = (*view.In(0).reals)[left[i]];
    double y = (*view.In(1).reals)[right[i]];
    auto number = Combine(view.node().op, x, y);
    auto truth = Compare(view.node().op, x, y);
    if (number) content.push_back(*number);
    if (truth) truths.emplace_back(*truth);
  }
  if (content.size() == left.size()) view.SetReals(0, std::move(content));
  if (truths.size() == left.size()) view.SetIntegers(0, std::move(truths));
}

void FoldBinary(NodeView& view) {
  if (view.input_count() == 1) return FoldSame(view);
  const ValueFacts& a = view.In(0);
  const ValueFacts& b = view.In(1);
  // Sums of more operands and the old broadcasting do not occur in shape
  // arithmetic.
  if (view.input_count() != 2 || view.node().Find("broadcast") != nullptr ||
      !SmallCount(view.Out(0).shape) || !a.shape || !b.shape) {
    return;
  }
  bool integers = a.integers && b.integers;
  bool reals = a.reals && b.reals;
  if (!integers && !reals) return;
  auto left = BroadcastPlaces(*a.shape, *view.Out(0).shape);
  auto right = BroadcastPlaces(*b.shape, *view.Out(0).shape);
  if (integers) FoldBinaryIntegers(view, left, right);
  if (reals) FoldBinaryReals(view, left, right);
}

void FoldWhere(NodeView& view) {
  const ValueFacts& condition = view.In(0);
  const ValueFacts& yes = view.In(1);
  const ValueFacts& no = view.In(2);
  if (!SmallCount(view.Out(0).shape) || !condition.integers || !yes.integers ||
      !no.integers) {
    return;
  }
  const Shape& shape = *view.Out(0).shape;
  auto places = BroadcastPlaces(*condition.shape, shape);
  auto yes_places = BroadcastPlaces(*yes.shape, shape);
  auto no_places = BroadcastPlaces(*no.shape, shape);
  std::vector<std::optional<int64_t>> content;
  for (size_t i = 0; i < places.size(); ++i) {
    auto chosen = (*condition.integers)[places[i]];
    if (!chosen) {
      content.emplace_back();
    } else {
      content.push_back(*chosen != 0 ? (*yes.integers)[yes_places[i]]
                                     : (*no.integers)[no_places[i]]);
    }
  }
  view.SetIntegers(0, std::move(content));
}

constexpr OperatorRule kElementwiseRules[] = {
    // Arithmetic, comparison and logic on two operands.
    {"Add", Broadcasting, ElementwiseCost<1>, FoldBinary},
    {"Sub", Broadcasting, ElementwiseCost<1>, FoldBinary},
    {"Mul", Broadcasting, ElementwiseCost<1>, FoldBinary},
    {"Div", Broadcasting, ElementwiseCost<1>, FoldBinary},
    {"Pow", Broadcasting, ElementwiseCost<1>, FoldBinary},
    {"Mod", Broadcasting, ElementwiseCost<1>, FoldBinary},
    {"BitShift", Broadcasting, ElementwiseCost<1>},
    {"BitwiseAnd", Broadcasting, ElementwiseCost<1>},
    {"BitwiseOr", Broadcasting, ElementwiseCost<1>},
    {"BitwiseXor", Broadcasting, ElementwiseCost<1>},
    {"And", Comparing, ElementwiseCost<1>, FoldBinary},
    {"Or", Comparing, ElementwiseCost<1>, FoldBinary},
    {"Xor", Comparing, ElementwiseCost<1>, FoldBinary},
    {"Equal", Comparing, ElementwiseCost<1>, FoldBinary},
    {"Less", Comparing, ElementwiseCost<1>, FoldBinary},
    {"LessOrEqual", Comparing, ElementwiseCost<1>, FoldBinary},
    {"Greater", Comparing, ElementwiseCost<1>, FoldBinary},
    {"GreaterOrEqual", Comparing, ElementwiseCost<1>, FoldBinary},
    // Any number of operands.
    {"Sum", Broadcasting, CostOfMany, FoldBinary},
    {"Mean", Broadcasting, CostOfMany},
    {"Max", Broadcasting, CostOfMany, FoldBinary},
    {"Min", Broadcasting, CostOfMany, FoldBinary},
    {"Where", Selecting, ElementwiseCost<1>, FoldWhere},
    // One operand, one operation.
    {"Abs", SameAsFirst, ElementwiseCost<1>, FoldUnary},
    {"Neg", SameAsFirst, ElementwiseCost<1>, FoldUnary},
    {"Ceil", SameAsFirst, ElementwiseCost<1>, FoldUnary},
    {"Floor", SameAsFirst, ElementwiseCost<1>, FoldUnary},
    {"Round", SameAsFirst, ElementwiseCost<1>, FoldUnary},
    {"Sqrt", SameAsFirst, ElementwiseCost<1>, FoldUnary},
    {"Exp", SameAsFirst, ElementwiseCost<1>, FoldUnary},
    {"Log", SameAsFirst, ElementwiseCost<1>, FoldUnary},
    {"Reciprocal", SameAsFirst, ElementwiseCost<1>, FoldUnary},
    {"Not", Testing, ElementwiseCost<1>, FoldUnary},
    {"IsNaN", Testing, ElementwiseCost<1>},
    {"IsInf", Testing, ElementwiseCost<1>},
    {"BitwiseNot", SameAsFirst, ElementwiseCost<1>},
    {"Sign", SameAsFirst, ElementwiseCost<1>},
    {"Sin", SameAsFirst, ElementwiseCost<1>},
    {"Cos", SameAsFirst, ElementwiseCost<1>},
    {"Tan", SameAsFirst, ElementwiseCost<1>},
    {"Asin", SameAsFirst, ElementwiseCost<1>},
    {"Acos", SameAsFirst, ElementwiseCost<1>},
    {"Atan", SameAsFirst, ElementwiseCost<1>},
    {"Sinh", SameAsFirst, ElementwiseCost<1>},
    {"Cosh", SameAsFirst, ElementwiseCost<1>},
    {"Asinh", SameAsFirst, ElementwiseCost<1>},
    {"Acosh", SameAsFirst, ElementwiseCost<1>},
    {"Atanh", SameAsFirst, ElementwiseCost<1>},
    {"Erf", SameAsFirst, ElementwiseCost<1>},
    {"Tanh", SameAsFirst, ElementwiseCost<1>},
    {"Relu", SameAsFirst, ElementwiseCost<1>},
    {"ThresholdedRelu", SameAsFirst, ElementwiseCost<1>},
    // Activations made of several operations.
    {"Clip", SameAsFirst, ElementwiseCost<2>, nullptr},
    {"LeakyRelu", SameAsFirst, ElementwiseCost<2>},
    {"PRelu", SameAsFirst, ElementwiseCost<2>},
    {"Shrink", SameAsFirst, ElementwiseCost<2>},
    {"Elu", SameAsFirst, ElementwiseCost<3>},
    {"Softplus", SameAsFirst, ElementwiseCost<3>},
    {"Softsign", SameAsFirst, ElementwiseCost<3>},
    {"Selu", SameAsFirst, ElementwiseCost<4>},
    {"Celu", SameAsFirst, ElementwiseCost<4>},
    {"Sigmoid", SameAsFirst, ElementwiseCost<4>},
    {"HardSigmoid", SameAsFirst, ElementwiseCost<4>},
    {"HardSwish", SameAsFirst, ElementwiseCost<5>},
    {"Mish", SameAsFirst, ElementwiseCost<5>},
    {"Swish", SameAsFirst, ElementwiseCost<5>},
    {"Gelu", SameAsFirst, ElementwiseCost<5>},
    {"QuickGelu", SameAsFirst, ElementwiseCost<6>},
    {"BiasGelu", SameAsFirst, ElementwiseCost<6>},
    {"FastGelu", SameAsFirst, ElementwiseCost<9>},
    {"BiasAdd", SameAsFirst, ElementwiseCost<2>},
    // Copies.
    {"Identity", SameAsFirst, Movement, FoldSame},
    {"Dropout", Dropping, Movement, FoldSame},
    {"Cast", Casting, Movement, FoldCast},
    {"CastLike", CastingLike, Movement, FoldCast},
    {"MemcpyFromHost", SameAsFirst, Movement, FoldSame},
    {"MemcpyToHost", SameAsFirst, Movement, FoldSame},
};

}  // namespace

std::span<const OperatorRule> ElementwiseRules() { return kElementwiseRules; }

}  // namespace mete
