// Reads arbitrary JSON as a predictor. An accepted one must predict without
// crashing and survive being saved.
#include <cmath>

#include "fuzz/input.h"
#include "predict/tree_predictor.h"
#include "support/check.h"
#include "support/json.h"

namespace {

mete::ClusterNode MakeNode(int cores, double load) {
  mete::ClusterNode node{.name = "node"};
  node.facts.cores = cores;
  node.load = load;
  return node;
}

// Numbers beyond those of single precision become infinite, which JSON cannot
// hold.
bool IsFinite(const mete::TreePredictor& predictor) {
  for (const mete::ColumnRange& range : predictor.parts().ranges) {
    if (!std::isfinite(range.low) || !std::isfinite(range.high)) return false;
  }
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  auto json = mete::ParseJson(fuzz::ToText(bytes, size));
  if (!json.ok()) return 0;
  auto predictor = mete::TreePredictor::FromJson(*json);
  if (!predictor.ok()) return 0;
  const mete::ClusterNode busy = MakeNode(4, 0.9);
  const mete::ClusterNode idle = MakeNode(1, 0);
  const mete::ClusterNode unknown;
  const mete::ClusterNode* nodes[] = {&busy, &idle, &unknown};
  const mete::NetworkQuestion question{.name = "network",
                                       .traits = mete::NetworkTraits()};
  CHECK(predictor->Predict(question, nodes, mete::Detail::kWords).size() == 3);
  if (!IsFinite(*predictor)) return 0;
  const mete::Json saved = predictor->ToJson();
  auto again = mete::TreePredictor::FromJson(saved);
  CHECK(again.ok()) << again.error().message();
  CHECK(again->ToJson() == saved) << mete::DumpJson(saved);
  return 0;
}
