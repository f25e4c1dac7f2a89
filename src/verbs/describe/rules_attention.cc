// Fused attention: the operator of ONNX and those of ONNX Runtime.
#include <fmt/format.h>

#include "describe/operator_rules.h"

namespace mete {
namespace {

// Sizes of an attention, for all of these operators. Widths are those of all
// heads together.
struct Sizes {
  Dimension batch;
  Dimension queries;      // length of the query sequence
  Dimension keys;         // length of keys and values, including the past
  Dimension query_width;  // all heads
  Dimension value_width;  // all heads of the output
  Dimension heads;        // heads of queries
  Dimension key_heads;    // heads of keys and values
  Dimension head_size;    // head size of queries and keys
  Dimension value_head;   // head size of values
  Amount projection;      // multiply-adds of a built-in input projection
};

Dimension ReadHeads(const Node& node, const char* attribute) {
  int64_t heads = node.Integer(attribute, 0);
  return heads > 0 ? Dimension{.size = heads} : Dimension{};
}

Dimension Times(const Dimension& a, const Dimension& b) {
  int64_t product = 0;
  if (!a.size || !b.size ||
      __builtin_mul_overflow(*a.size, *b.size, &product)) {
    return {};
  }
  return {.size = product};
}

Dimension Over(const Dimension& a, const Dimension& b) {
  if (!a.size || !b.size || *b.size < 1) return {};
  return {.size = *a.size / *b.size};
}

Dimension Plus(const Dimension& a, const Dimension& b) {
  int64_t sum = 0;
  if (!a.size || !b.size || __builtin_add_overflow(*a.size, *b.size, &sum)) {
    return {};
  }
  return {.size = sum};
}

Dimension At(const Shape* shape, size_t axis) {
  return shape != nullptr && axis < shape->size() ? (*shape)[axis]
                                                  : Dimension{};
}

size_t GetRank(const Shape* shape) {
  return shape == nullptr ? 0 : shape->size();
}

// com.microsoft Attention and QAttention: [batch, sequence, features] times one
// weight for queries, keys and values.
Sizes Projected(const NodeView& view) {
  bool quantized = view.node().op == "QAttention";
  const Shape* input = view.InShape(0);
  const Shape* weight = view.InShape(1);
  const Shape* past = view.InShape(quantized ? 8 : 4);
  Sizes sizes{.batch = At(input, 0), .queries = At(input, 1)};
  sizes.heads = sizes.key_heads = ReadHeads(view.node(), "num_heads");
  std::vector<int64_t> widths = view.node().Integers("qkv_hidden_sizes");
  if (widths.size() == 3) {
    sizes.query_width = {.size = widths[0]};
    sizes.value_width = {.size = widths[2]};
  } else {
    sizes.query_width = sizes.value_width =
        Over(At(weight, 1), Dimension{.size = 3});
  }
  sizes.head_size = Over(sizes.query_width, sizes.heads);
  sizes.value_head = Over(sizes.value_width, sizes.heads);
  // past is [2, batch, heads, length, head size].
  sizes.keys =
      past == nullptr ? sizes.queries : Plus(sizes.queries, At(past, 3));
  sizes.projection =
      ComputeSize(sizes.batch) * ComputeSize(sizes.queries) *
      (weight == nullptr ? Amount::Open() : ComputeSize(*weight, 0, 2));
  return sizes;
}

// com.microsoft MultiHeadAttention: queries, keys and values separate or
// packed.
Sizes MultiHead(const NodeView& view) {
  const Shape* query = view.InShape(0);
  const Shape* key = view.InShape(1);
  const Shape* value = view.InShape(2);
  const Shape* past = view.InShape(6);
  Sizes sizes{.batch = At(query, 0), .queries = At(query, 1)};
  sizes.heads = sizes.key_heads = ReadHeads(view.node(), "num_heads");
  sizes.keys = GetRank(key) == 4 ? At(key, 2) : At(key, 1);
  if (GetRank(query) == 5) {  // [batch, length, heads, 3, head size]
    sizes.head_size = sizes.value_head = At(query, 4);
    sizes.keys = sizes.queries;
  } else {
    sizes.head_size = Over(At(query, 2), sizes.heads);
    sizes.value_head = GetRank(value) == 4   ? At(value, 3)
                       : GetRank(value) == 3 ? Over(At(value, 2), sizes.heads)
                                             : sizes.head_size;
  }
  if (past != nullptr) sizes.keys = Plus(sizes.keys, At(past, 2));
  sizes.query_width = Times(sizes.heads, sizes.head_size);
  sizes.value_width = Times(sizes.heads, sizes.value_head);
  return sizes;
}

// com.microsoft GroupQueryAttention: several query heads share a key head.
Sizes GroupQuery(const NodeView& view) {
  const Shape* query = view.InShape(0);
  const Shape* past = view.InShape(3);
  Sizes sizes{.batch = At(query, 0), .queries = At(query, 1)};
  sizes.heads = ReadHeads(view.node(), "num_heads");
  sizes.key_heads = ReadHeads(view.node(), "kv_num_heads");
  if (view.Has(1)) {
    sizes.head_size = Over(At(query, 2), sizes.heads);
  } else {  // queries, keys and values packed side by side
    Dimension all = Plus(sizes.heads, Times(sizes.key_heads, {.size = 2}));
    sizes.head_size = Over(At(query, 2), all);
  }
  sizes.value_head = sizes.head_size;
  sizes.query_width = sizes.value_width = Times(sizes.heads, sizes.head_size);
  sizes.keys =
      past == nullptr ? sizes.queries : Plus(sizes.queries, At(past, 2));
  return sizes;
}

// The standard Attention (operator set 23): heads in an axis of their own (four
// axes), or side by side (three).
Sizes Standard(const NodeView& view) {
  const Shape* query = view.InShape(0);
  const Shape* key = view.InShape(1);
  const Shape* value = view.InShape(2);
  Sizes sizes{.batch = At(query, 0)};
  if (GetRank(query) == 4) {
    sizes.heads = At(query, 1);
    sizes.key_heads = At(key, 1);
    sizes.queries = At(query, 2);
    sizes.head_size = At(query, 3);
    sizes.keys = At(key, 2);
    sizes.value_head = At(value, 3);
  } else {
    sizes.heads = ReadHeads(view.node(), "q_num_heads");
    sizes.key_heads = ReadHeads(view.node(), "kv_num_heads");
    sizes.queries = At(query, 1);
    sizes.head_size = Over(At(query, 2), sizes.heads);
    sizes.keys = At(key, 1);
    sizes.value_head = Over(At(value, 2), sizes.key_heads);
  }
  if (const Shape* past = view.InShape(4)) {
    sizes.keys = Plus(sizes.keys, At(past, 2));
  }
  sizes.query_width = Times(sizes.heads, sizes.head_size);
  sizes.value_width = Times(sizes.heads, sizes.value_head);
  return sizes;
}

bool IsStandard(const NodeView& view) { return view.node().domain.empty(); }

Sizes ReadSizes(const NodeView& view) {
  if (view.node().op == "MultiHeadAttention") return MultiHead(view);
  if (view.node().op == "GroupQueryAttention") return GroupQuery(view);
  return IsStandard(view) ? Standard(view) : Projected(view);
}

// Output 0 is [batch, length, width]. The others are reused by the next step.
Status Attending(NodeView& view) {
  Sizes sizes = ReadSizes(view);
  ElementType type = view.In(0).type;
  if (view.node().op == "QAttention") type = view.In(3).type;
  view.Set(0, type, Shape{sizes.batch, sizes.queries, sizes.value_width});
  if (!IsStandard(view) &&
      (view.node().op == "Attention" || view.node().op == "QAttention")) {
    view.Set(1, type,
             Shape{{.size = 2},
                   sizes.batch,
                   sizes.heads,
                   sizes.keys,
                   sizes.head_size});
    return {};
  }
  view.Set(1, type,
           Shape{sizes.batch, sizes.key_heads, sizes.keys, sizes.head_size});
  view.Set(2, type,
           Shape{sizes.batch, sizes.key_heads, sizes.keys, sizes.value_head});
  if (!IsStandard(view)) return {};
  if (GetRank(view.InShape(0)) == 4) {
    view.Set(0, type,
             Shape{sizes.batch, sizes.heads, sizes.queries, sizes.value_head});
  } else if (view.InShape(0) == nullptr) {
    view.Set(0, type, std::nullopt);
  }
  view.Set(3, type, Shape{sizes.batch, sizes.heads, sizes.queries, sizes.keys});
  return {};
}

Cost CostOfAttending(const NodeView& view) {
  Sizes sizes = ReadSizes(view);
  Amount pairs = ComputeSize(sizes.batch) * ComputeSize(sizes.queries) *
                 ComputeSize(sizes.keys);
  Amount macs = sizes.projection + pairs * (ComputeSize(sizes.query_width) +
                                            ComputeSize(sizes.value_width));
  // Scaling and softmax of every score.
  return MultiplyAdds(kAttention, macs,
                      pairs * ComputeSize(sizes.heads) * uint64_t{6});
}

constexpr OperatorRule kAttentionRules[] = {
    {"Attention", Attending, CostOfAttending},
    {"QAttention", Attending, CostOfAttending},
    {"MultiHeadAttention", Attending, CostOfAttending},
    {"GroupQueryAttention", Attending, CostOfAttending},
    {"RotaryEmbedding", SameAsFirst, ElementwiseCost<3>},
};

}  // namespace

std::span<const OperatorRule> AttentionRules() { return kAttentionRules; }

}  // namespace mete
