// Parses arbitrary text as Prometheus' responses. Accepted samples must be
// finite, and joining them to nodes must not crash whatever query they answer.
#include <algorithm>
#include <cmath>

#include "adapters/prometheus/join_nodes.h"
#include "adapters/prometheus/query_answer.h"
#include "adapters/prometheus/range_answer.h"
#include "fuzz/input.h"
#include "support/check.h"

namespace {

// A point of time beyond what a clock can represent must not get in.
void CheckRange(std::string body) {
  mete::RejectionText(body);
  auto set = mete::ParseRangeAnswer(body);
  if (!set.ok()) return;
  for (const mete::HistorySeries& series : *set) {
    CHECK(series.times.size() == series.values.size());
    for (double value : series.values) CHECK(std::isfinite(value));
    for (mete::WallTime time : series.times) {
      const double seconds = mete::Seconds(time.time_since_epoch()).count();
      CHECK(std::abs(seconds) <= 9e9);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  CheckRange(std::string(fuzz::ToText(bytes, size)));
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
