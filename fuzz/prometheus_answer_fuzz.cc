// Parses arbitrary text as Prometheus' response. Accepted samples must be
// finite, and joining them to nodes must not crash whatever query they answer.
#include <algorithm>
#include <cmath>

#include "adapters/prometheus/join_nodes.h"
#include "adapters/prometheus/query_answer.h"
#include "fuzz/input.h"
#include "support/check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  auto samples = mete::ParseQueryAnswer(fuzz::ToText(bytes, size));
  if (!samples.ok()) return 0;
  for (const mete::MetricSample& sample : *samples) {
    CHECK(std::isfinite(sample.value));
  }
  mete::NodeSamples answers;
  for (const mete::NodeQuery& query : mete::NodeQueries(mete::Seconds(60))) {
    answers.*query.place = *samples;
  }
  const std::vector<mete::ClusterNode> nodes = mete::JoinNodes(answers);
  CHECK(std::ranges::is_sorted(nodes, {}, &mete::ClusterNode::name));
  return 0;
}
