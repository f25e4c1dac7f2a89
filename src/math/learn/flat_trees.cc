#include "learn/flat_trees.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "support/json.h"
#include "support/parse_number.h"

namespace mete {
namespace {

static_assert(std::endian::native == std::endian::little,
              "trees are packed in memory order");

using Node = FlatTrees::Node;

// One tree of XGBoost's JSON: parallel arrays indexed by node number.
struct TreeArrays {
  std::vector<int64_t> left;
  std::vector<int64_t> right;
  std::vector<uint32_t> feature;
  std::vector<double> value;
  std::vector<int> missing_left;
};

TreeArrays ReadArrays(const Json& tree) {
  TreeArrays arrays;
  arrays.left = tree.at("left_children").get<std::vector<int64_t>>();
  arrays.right = tree.at("right_children").get<std::vector<int64_t>>();
  arrays.feature = tree.at("split_indices").get<std::vector<uint32_t>>();
  arrays.value = tree.at("split_conditions").get<std::vector<double>>();
  arrays.missing_left = tree.at("default_left").get<std::vector<int>>();
  return arrays;
}

bool SameLengths(const TreeArrays& arrays) {
  size_t nodes = arrays.left.size();
  return nodes > 0 && arrays.right.size() == nodes &&
         arrays.feature.size() == nodes && arrays.value.size() == nodes &&
         arrays.missing_left.size() == nodes;
}

// Breadth first, so that siblings are adjacent.
Status AppendTree(const TreeArrays& arrays, std::vector<Node>& nodes) {
  if (!SameLengths(arrays)) return Corrupt("arrays of a tree differ in length");
  size_t count = arrays.left.size();
  std::vector<size_t> queue = {0};
  size_t start = nodes.size();
  nodes.resize(start + 1);
  for (size_t i = 0; i < queue.size(); ++i) {
    size_t from = queue[i];
    Node node{.value = static_cast<float>(arrays.value[from])};
    if (arrays.left[from] >= 0) {
      auto left = static_cast<size_t>(arrays.left[from]);
      auto right = static_cast<size_t>(arrays.right[from]);
      if (left >= count || right >= count || queue.size() + 2 > count) {
        return Corrupt("a tree node refers to a missing child");
      }
      node.left = static_cast<uint32_t>(start + queue.size());
      node.feature = arrays.feature[from] |
                     (arrays.missing_left[from] != 0 ? Node::kMissingLeft : 0);
      queue.push_back(left);
      queue.push_back(right);
      nodes.resize(nodes.size() + 2);
    }
    nodes[start + i] = node;
  }
  return {};
}

uint32_t DecodeFeature(const Node& node) {
  return node.feature & ~Node::kMissingLeft;
}

bool GoesRight(const Node& node, float value) {
  return std::isnan(value) ? (node.feature & Node::kMissingLeft) == 0
                           : !(value < node.value);
}

float Leaf(const Node* nodes, uint32_t start, const float* row) {
  const Node* node = nodes + start;
  while (node->left != 0) {
    bool right = GoesRight(*node, row[DecodeFeature(*node)]);
    node = nodes + node->left + (right ? 1 : 0);
  }
  return node->value;
}

bool SameColumn(const FeatureTable& table, size_t column) {
  float first = table.Row(0)[column];
  for (size_t row = 1; row < table.rows(); ++row) {
    float value = table.Row(row)[column];
    bool alike = value == first || (std::isnan(value) && std::isnan(first));
    if (!alike) return false;
  }
  return true;
}

// Rows that no threshold distinguishes reach the same leaves, so only one of
// them needs to be evaluated. A cluster has few kinds of devices, and trees
// have few thresholds for load.
class RowGroups {
 public:
  RowGroups(const FeatureTable& table,
            const std::vector<std::vector<float>>& thresholds)
      : table_(table), thresholds_(thresholds) {
    for (size_t column = 0; column < table.columns.size(); ++column) {
      same_.push_back(SameColumn(table, column));
      if (!same_.back()) parting_.push_back(column);
    }
    slots_.resize(std::bit_ceil(2 * table.rows()), kNone);
    steps_.reserve(table.rows() * parting_.size());
    for (size_t row = 0; row < table.rows(); ++row) Add(row);
  }

  bool Same(size_t column) const { return same_[column] != 0; }
  // The first row of each group.
  const std::vector<uint32_t>& firsts() const { return firsts_; }
  uint32_t GroupFor(size_t row) const { return groups_[row]; }

 private:
  static constexpr uint32_t kNone = ~0u;

  // How many thresholds of a column send the value to the right.
  uint32_t FindStep(size_t column, float value) const {
    if (std::isnan(value)) return kNone;
    const std::vector<float>& steps = thresholds_[column];
    auto above = std::upper_bound(steps.begin(), steps.end(), value);
    return static_cast<uint32_t>(above - steps.begin());
  }

  // The steps of the groups' first rows are stored one after the other. Those
  // of this row are appended, and stay there if it begins a group.
  void Add(size_t row) {
    size_t mine = steps_.size();
    uint64_t hash = 0;
    for (size_t column : parting_) {
      uint32_t step = FindStep(column, table_.Row(row)[column]);
      steps_.push_back(step);
      hash = (hash ^ step) * 0x9e3779b97f4a7c15u;  // Fibonacci hashing
    }
    size_t slot = (hash >> 32) & (slots_.size() - 1);
    while (slots_[slot] != kNone && !HasSteps(slots_[slot], mine)) {
      slot = (slot + 1) & (slots_.size() - 1);
    }
    if (slots_[slot] == kNone) {
      slots_[slot] = static_cast<uint32_t>(firsts_.size());
      firsts_.push_back(static_cast<uint32_t>(row));
    } else {
      steps_.resize(mine);
    }
    groups_.push_back(slots_[slot]);
  }

  bool HasSteps(uint32_t group, size_t mine) const {
    const uint32_t* steps = steps_.data();
    return std::equal(steps + mine, steps + steps_.size(),
                      steps + group * parting_.size());
  }

  const FeatureTable& table_;
  const std::vector<std::vector<float>>& thresholds_;
  std::vector<char> same_;       // by column
  std::vector<size_t> parting_;  // columns that differ between rows
  std::vector<uint32_t> steps_;
  std::vector<uint32_t> slots_;  // groups by hash of their steps
  std::vector<uint32_t> firsts_;
  std::vector<uint32_t> groups_;  // by row
};

// Evaluates a tree for many rows together. A split on a column that is the same
// in all rows (such as those of one network on many devices) is decided once;
// other splits partition the rows.
class ManyRows {
 public:
  ManyRows(const std::vector<Node>& nodes, const FeatureTable& table,
           const RowGroups& groups, std::vector<float>& sums)
      : nodes_(nodes),
        table_(table),
        groups_(groups),
        sums_(sums),
        rows_(groups.firsts()) {}

  void AddTree(uint32_t start) { AddLeaves(start, rows_); }

 private:
  void AddLeaves(uint32_t at, std::span<uint32_t> rows) {
    while (nodes_[at].left != 0 && !rows.empty()) {
      const Node& node = nodes_[at];
      uint32_t column = DecodeFeature(node);
      if (groups_.Same(column)) {
        at = node.left + (GoesRight(node, table_.Row(0)[column]) ? 1 : 0);
        continue;
      }
      size_t left = Part(node, column, rows);
      std::span<uint32_t> lefts = rows.first(left);
      std::span<uint32_t> rights = rows.subspan(left);
      // Recurses into the smaller part, so that the depth of a tree does not
      // matter: there are at most log2(rows) calls at a time.
      if (lefts.size() <= rights.size()) {
        AddLeaves(node.left, lefts);
        rows = rights;
        at = node.left + 1;
      } else {
        AddLeaves(node.left + 1, rights);
        rows = lefts;
        at = node.left;
      }
    }
    for (uint32_t row : rows) sums_[row] += nodes_[at].value;
  }

  // Moves the rows that go left to the front, without branches that could be
  // mispredicted, and returns how many there are.
  size_t Part(const Node& node, uint32_t column,
              std::span<uint32_t> rows) const {
    size_t left = 0;
    for (uint32_t& place : rows) {
      uint32_t row = place;
      place = rows[left];
      rows[left] = row;
      left += GoesRight(node, table_.Row(row)[column]) ? 0 : 1;
    }
    return left;
  }

  const std::vector<Node>& nodes_;
  const FeatureTable& table_;
  const RowGroups& groups_;
  std::vector<float>& sums_;  // by row
  std::vector<uint32_t> rows_;
};

template <typename T>
void Append(const T* values, size_t count, std::string& bytes) {
  bytes.append(reinterpret_cast<const char*>(values), count * sizeof(T));
}

// Removes values from the front; false when too few bytes are left.
template <typename T>
bool Take(std::string_view& bytes, T* values, size_t count) {
  if (bytes.size() / sizeof(T) < count) return false;
  if (count > 0) std::memcpy(values, bytes.data(), count * sizeof(T));
  bytes.remove_prefix(count * sizeof(T));
  return true;
}

// XGBoost writes its parameters as texts: "5E-1".
Result<float> ReadFloat(const Json& json) {
  const std::string text = json.get<std::string>();
  auto value = ParseNumber<float>(text);
  if (!value) return Corrupt("'" + text + "' is not a number");
  return *value;
}

Result<FlatTrees> Truncated() { return Corrupt("trees are truncated"); }

}  // namespace

Result<FlatTrees> FlatTrees::FromXgboost(std::string_view json,
                                         size_t features) {
  ASSIGN_OR_RETURN(Json document, ParseJson(json));
  FlatTrees flat;
  flat.features_ = features;
  Status read = ReadJson("boosted trees", [&]() -> Status {
    const Json& learner = document.at("learner");
    ASSIGN_OR_RETURN(
        flat.base_,
        ReadFloat(learner.at("learner_model_param").at("base_score")));
    const Json& booster = learner.at("gradient_booster").at("model");
    for (const Json& tree : booster.at("trees")) {
      flat.starts_.push_back(static_cast<uint32_t>(flat.nodes_.size()));
      RETURN_IF_ERROR(AppendTree(ReadArrays(tree), flat.nodes_));
    }
    return {};
  });
  if (!read.ok()) return read.error();
  RETURN_IF_ERROR(flat.Check());
  flat.CollectThresholds();
  return flat;
}

FlatTrees FlatTrees::Constant(float value, size_t features) {
  FlatTrees flat;
  flat.features_ = features;
  flat.base_ = value;
  flat.CollectThresholds();
  return flat;
}

std::string FlatTrees::Pack() const {
  std::string bytes;
  auto trees = static_cast<uint32_t>(starts_.size());
  Append(&base_, 1, bytes);
  Append(&trees, 1, bytes);
  Append(starts_.data(), starts_.size(), bytes);
  Append(nodes_.data(), nodes_.size(), bytes);
  return bytes;
}

Result<FlatTrees> FlatTrees::Unpack(std::string_view bytes, size_t features) {
  FlatTrees flat;
  flat.features_ = features;
  uint32_t trees = 0;
  if (!Take(bytes, &flat.base_, 1) || !Take(bytes, &trees, 1) ||
      bytes.size() / sizeof(uint32_t) < trees) {
    return Truncated();
  }
  flat.starts_.resize(trees);
  if (!Take(bytes, flat.starts_.data(), trees)) return Truncated();
  if (bytes.size() % sizeof(Node) != 0) return Truncated();
  flat.nodes_.resize(bytes.size() / sizeof(Node));
  Take(bytes, flat.nodes_.data(), flat.nodes_.size());
  RETURN_IF_ERROR(flat.Check());
  flat.CollectThresholds();
  return flat;
}

Status FlatTrees::Check() const {
  const size_t first = starts_.empty() ? nodes_.size() : starts_[0];
  if (first != 0) return Corrupt("a node belongs to no tree");
  for (size_t tree = 0; tree < starts_.size(); ++tree) {
    size_t begin = starts_[tree];
    size_t end = tree + 1 < starts_.size() ? starts_[tree + 1] : nodes_.size();
    if (begin >= end || end > nodes_.size()) {
      return Corrupt("a tree lies outside the nodes");
    }
    for (size_t i = begin; i < end; ++i) {
      const Node& node = nodes_[i];
      if (node.left == 0) continue;
      if (node.left <= i || size_t{node.left} + 1 >= end ||
          (node.feature & ~Node::kMissingLeft) >= features_) {
        return Corrupt("a tree node has an invalid child or feature");
      }
    }
  }
  return {};
}

void FlatTrees::CollectThresholds() {
  thresholds_.assign(features_, {});
  for (const Node& node : nodes_) {
    // No value is below NaN, so this threshold distinguishes nothing.
    if (node.left == 0 || std::isnan(node.value)) continue;
    thresholds_[DecodeFeature(node)].push_back(node.value);
  }
  for (std::vector<float>& column : thresholds_) {
    std::ranges::sort(column);
    column.erase(std::unique(column.begin(), column.end()), column.end());
  }
}

float FlatTrees::Predict(std::span<const float> row) const {
  float sum = base_;
  for (uint32_t start : starts_) sum += Leaf(nodes_.data(), start, row.data());
  return sum;
}

std::vector<float> FlatTrees::Predict(const FeatureTable& table) const {
  std::vector<float> sums(table.rows(), base_);
  if (sums.empty() || starts_.empty()) return sums;
  RowGroups groups(table, thresholds_);
  ManyRows rows(nodes_, table, groups, sums);
  for (uint32_t start : starts_) rows.AddTree(start);
  for (size_t row = 0; row < sums.size(); ++row) {
    sums[row] = sums[groups.firsts()[groups.GroupFor(row)]];
  }
  return sums;
}

}  // namespace mete
