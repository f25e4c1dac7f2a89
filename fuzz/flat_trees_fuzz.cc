// Unpacks arbitrary bytes as trees, or reads them as XGBoost's JSON. Accepted
// trees must be packed to the same bytes, and predict the same for single rows
// as for a table.
#include <bit>
#include <cmath>
#include <limits>

#include "fuzz/input.h"
#include "learn/flat_trees.h"
#include "support/check.h"

namespace {

constexpr size_t kFeatures = 4;

mete::FeatureTable MakeTable() {
  constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
  constexpr float kInfinite = std::numeric_limits<float>::infinity();
  mete::FeatureTable table{.columns = {"a", "b", "c", "d"}};
  table.cells = {0,     0,    0,         0,       //
                 0,     -1.5, 2,         1e30f,   //
                 kNone, 0.5f, kInfinite, -1e30f,  //
                 1,     0.5f, kNone,     -kInfinite};
  return table;
}

bool Same(float one, float other) {
  return (std::isnan(one) && std::isnan(other)) || one == other;
}

void CheckTrees(const mete::FlatTrees& trees) {
  static const mete::FeatureTable table = MakeTable();
  const std::vector<float> together = trees.Predict(table);
  for (size_t row = 0; row < table.rows(); ++row) {
    CHECK(Same(trees.Predict(table.Row(row)), together[row])) << row;
  }
  auto again = mete::FlatTrees::Unpack(trees.Pack(), kFeatures);
  CHECK(again.ok()) << again.error().message();
  CHECK(again->Pack() == trees.Pack());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  const std::string_view text = fuzz::ToText(bytes, size);
  auto unpacked = mete::FlatTrees::Unpack(text, kFeatures);
  if (unpacked.ok()) {
    CHECK(unpacked->Pack() == text);
    CheckTrees(*unpacked);
  }
  auto read = mete::FlatTrees::FromXgboost(text, kFeatures);
  if (read.ok()) CheckTrees(*read);
  return 0;
}
