// Matrix products: Gemm, MatMul, their fused and quantized variants, Einsum.
#include <fmt/format.h>

#include "describe/einsum.h"
#include "describe/operator_rules.h"

namespace mete {
namespace {

// Positions of the two factors and the bias among the inputs.
struct ProductOperands {
  size_t left = 0;
  size_t right = 1;
  size_t bias = SIZE_MAX;
};

ProductOperands FindProductOperands(const Node& node) {
  if (node.op == "Gemm" || node.op == "FusedGemm") return {.bias = 2};
  if (node.op == "QGemm") return {.right = 3, .bias = 6};
  if (node.op == "QLinearMatMul") return {.right = 3};
  if (node.op == "MatMulIntegerToFloat") return {.bias = 6};
  if (node.op == "DynamicQuantizeMatMul") return {.bias = 4};
  return {};
}

ElementType ProductOutputType(const NodeView& view) {
  const std::string& op = view.node().op;
  if (op == "MatMulInteger") return ElementType::kInt32;
  if (op == "QLinearMatMul") return view.In(7).type;
  if (op == "MatMulIntegerToFloat" || op == "DynamicQuantizeMatMul") {
    return view.In(2).type;  // type of the scale
  }
  if (op == "QGemm") {
    return view.Has(8) ? view.In(8).type : ElementType::kFloat;
  }
  return view.In(0).type;
}

Error Mismatch(const Shape& a, const Shape& b) {
  return Contradiction(fmt::format("{} cannot be multiplied by {}",
                                   FormatShape(a), FormatShape(b)));
}

bool Differ(const Dimension& a, const Dimension& b) {
  return a.size && b.size && *a.size != *b.size;
}

Status General(NodeView& view) {  // Gemm
  ProductOperands operands = FindProductOperands(view.node());
  const Shape* a = view.InShape(operands.left);
  const Shape* b = view.InShape(operands.right);
  Shape shape = OpenShape(2);
  size_t a_rows = view.node().Integer("transA", 0) != 0 ? 1 : 0;
  size_t b_rows = view.node().Integer("transB", 0) != 0 ? 1 : 0;
  if ((a != nullptr && a->size() != 2) || (b != nullptr && b->size() != 2)) {
    return Contradiction("the factors of a Gemm are not matrices");
  }
  if (a != nullptr) shape[0] = (*a)[a_rows];
  if (b != nullptr) shape[1] = (*b)[1 - b_rows];
  if (a != nullptr && b != nullptr && Differ((*a)[1 - a_rows], (*b)[b_rows])) {
    return Mismatch(*a, *b);
  }
  view.Set(0, ProductOutputType(view), std::move(shape));
  return {};
}

// The inner size of the product, from whichever factor it is known.
Amount InnerSize(const Shape* a, const Shape* b, size_t a_axis, size_t b_axis) {
  if (a != nullptr && a_axis < a->size() && (*a)[a_axis].size) {
    return ComputeSize((*a)[a_axis]);
  }
  if (b != nullptr && b_axis < b->size()) return ComputeSize((*b)[b_axis]);
  return Amount::Open();
}

Cost CostOfGeneral(const NodeView& view) {
  ProductOperands operands = FindProductOperands(view.node());
  size_t a_inner = view.node().Integer("transA", 0) != 0 ? 0 : 1;
  size_t b_inner = view.node().Integer("transB", 0) != 0 ? 1 : 0;
  Amount inner = InnerSize(view.InShape(operands.left),
                           view.InShape(operands.right), a_inner, b_inner);
  Amount outputs = CountElements(view.Out(0));
  return MultiplyAdds(kGemm, outputs * inner,
                      view.Has(operands.bias) ? outputs : uint64_t{0});
}

// A factor of MatMul, with the transpositions of FusedMatMul undone and vectors
// turned into matrices.
struct Factor {
  Shape shape;
  bool vector = false;
};

Factor ReadFactor(const NodeView& view, size_t input, const char* attribute) {
  Factor factor{.shape = *view.InShape(input)};
  size_t rank = factor.shape.size();
  if (rank == 1) {
    factor.vector = true;
    return factor;
  }
  if (view.node().Integer(attribute, 0) != 0) {
    std::swap(factor.shape[rank - 1], factor.shape[rank - 2]);
  }
  return factor;
}

Status Product(NodeView& view) {  // MatMul
  ProductOperands operands = FindProductOperands(view.node());
  view.Set(0, ProductOutputType(view), std::nullopt);
  if (view.InShape(operands.left) == nullptr ||
      view.InShape(operands.right) == nullptr) {
    return {};
  }
  if (view.node().Integer("transBatchA", 0) != 0 ||
      view.node().Integer("transBatchB", 0) != 0) {
    return {};
  }
  Factor a = ReadFactor(view, operands.left, "transA");
  Factor b = ReadFactor(view, operands.right, "transB");
  if (a.shape.empty() || b.shape.empty()) return Mismatch(a.shape, b.shape);
  if (a.vector) a.shape.insert(a.shape.begin(), Dimension{.size = 1});
  if (b.vector) b.shape.push_back(Dimension{.size = 1});
  size_t a_rank = a.shape.size();
  size_t b_rank = b.shape.size();
  if (Differ(a.shape[a_rank - 1], b.shape[b_rank - 2])) {
    return Mismatch(*view.InShape(operands.left),
                    *view.InShape(operands.right));
  }
  ASSIGN_OR_RETURN(Shape shape,
                   Broadcast(Shape(a.shape.begin(), a.shape.end() - 2),
                             Shape(b.shape.begin(), b.shape.end() - 2)));
  if (!a.vector) shape.push_back(a.shape[a_rank - 2]);
  if (!b.vector) shape.push_back(b.shape[b_rank - 1]);
  view.Set(0, ProductOutputType(view), std::move(shape));
  return {};
}

Cost CostOfProduct(const NodeView& view) {
  ProductOperands operands = FindProductOperands(view.node());
  const Shape* a = view.InShape(operands.left);
  const Shape* b = view.InShape(operands.right);
  bool a_turned = view.node().Integer("transA", 0) != 0;
  bool b_turned = view.node().Integer("transB", 0) != 0;
  size_t a_rank = a == nullptr ? 0 : a->size();
  size_t b_rank = b == nullptr ? 0 : b->size();
  size_t a_inner = a_rank == 0 ? 0 : a_rank - (a_turned && a_rank > 1 ? 2 : 1);
  size_t b_inner = b_rank < 2 ? 0 : b_rank - (b_turned ? 1 : 2);
  Amount outputs = CountElements(view.Out(0));
  return MultiplyAdds(kGemm, outputs * InnerSize(a, b, a_inner, b_inner),
                      view.Has(operands.bias) ? outputs : uint64_t{0});
}

// MatMulNBits, MatMulBnb4: the weight is packed, and its sizes are attributes.
Status PackedProduct(NodeView& view) {
  view.Set(0, view.In(0).type, std::nullopt);
  const Shape* a = view.InShape(0);
  if (a == nullptr || a->empty()) return {};
  ASSIGN_OR_RETURN(Dimension inner, DimensionFrom(view.node().Integer("K", 0)));
  ASSIGN_OR_RETURN(Dimension columns,
                   DimensionFrom(view.node().Integer("N", 0)));
  if (Differ(a->back(), inner)) {
    return Mismatch(*a, {inner, columns});
  }
  Shape shape = *a;
  shape.back() = columns;
  view.Set(0, view.In(0).type, std::move(shape));
  return {};
}

Cost CostOfPackedProduct(const NodeView& view) {
  auto inner = std::max<int64_t>(0, view.node().Integer("K", 0));
  return MultiplyAdds(kGemm,
                      CountElements(view.Out(0)) * static_cast<uint64_t>(inner),
                      uint64_t{0});
}

Status Summing(NodeView& view) {  // Einsum
  view.Set(0, view.In(0).type, std::nullopt);
  ASSIGN_OR_RETURN(auto equation,
                   Equation::Parse(view.node().Text("equation", "")));
  std::vector<const Shape*> shapes;
  for (size_t i = 0; i < view.input_count(); ++i) {
    shapes.push_back(view.InShape(i));
  }
  ASSIGN_OR_RETURN(auto bound, equation.Bind(shapes));
  if (bound) view.Set(0, view.In(0).type, bound->output);
  return {};
}

Cost CostOfSumming(const NodeView& view) {
  auto equation = Equation::Parse(view.node().Text("equation", ""));
  std::vector<const Shape*> shapes;
  for (size_t i = 0; i < view.input_count(); ++i) {
    shapes.push_back(view.InShape(i));
  }
  if (!equation.ok()) return {.cost_class = kGemm};
  auto bound = equation->Bind(shapes);
  if (!bound.ok() || !*bound) {
    return MultiplyAdds(kGemm, Amount::Open(), uint64_t{0});
  }
  // Expanded over all labels: n operands take n - 1 products each.
  uint64_t products = shapes.size() < 2 ? 0 : shapes.size() - 1;
  return MultiplyAdds(kGemm, (*bound)->combinations * products, uint64_t{0});
}

Status Determining(NodeView& view) {  // Det
  view.Set(0, view.In(0).type, std::nullopt);
  const Shape* input = view.InShape(0);
  if (input == nullptr) return {};
  if (input->size() < 2) return Contradiction("the input is not a matrix");
  view.Set(0, view.In(0).type, Shape(input->begin(), input->end() - 2));
  return {};
}

// Gaussian elimination of an n x n matrix takes about n³ / 3 multiply-adds.
Cost CostOfDeterminant(const NodeView& view) {
  const Shape* input = view.InShape(0);
  if (input == nullptr || input->empty()) {
    return {.cost_class = kOther, .flops = Amount::Open()};
  }
  return {.cost_class = kOther,
          .flops = CountElements(view.In(0)) * ComputeSize(input->back())};
}

constexpr OperatorRule kMatrixRules[] = {
    {"Gemm", General, CostOfGeneral},
    {"FusedGemm", General, CostOfGeneral},
    {"QGemm", General, CostOfGeneral},
    {"MatMul", Product, CostOfProduct},
    {"FusedMatMul", Product, CostOfProduct},
    {"TransposeMatMul", Product, CostOfProduct},
    {"MatMulInteger", Product, CostOfProduct},
    {"MatMulIntegerToFloat", Product, CostOfProduct},
    {"DynamicQuantizeMatMul", Product, CostOfProduct},
    {"QLinearMatMul", Product, CostOfProduct},
    {"MatMulNBits", PackedProduct, CostOfPackedProduct},
    {"MatMulBnb4", PackedProduct, CostOfPackedProduct},
    {"Einsum", Summing, CostOfSumming},
    {"Det", Determining, CostOfDeterminant},
    {"Inverse", SameAsFirst, CostOfDeterminant},
};

}  // namespace

std::span<const OperatorRule> MatrixRules() { return kMatrixRules; }

}  // namespace mete
