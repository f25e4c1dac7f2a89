#include "adapters/prometheus/prometheus_nodes.h"

#include <future>
#include <vector>

#include "adapters/prometheus/join_nodes.h"

namespace mete {

Result<std::shared_ptr<const NodeSnapshot>> PrometheusNodes::Nodes() {
  auto snapshot = std::make_shared<NodeSnapshot>();
  snapshot->taken_at = clock_.Wall();
  const std::vector<NodeQuery> queries = NodeQueries(pace_.load_window);
  std::vector<std::future<Result<std::vector<MetricSample>>>> answers;
  answers.reserve(queries.size());
  for (const NodeQuery& query : queries) {
    answers.push_back(std::async(std::launch::async, [this, &query] {
      return client_.Query(query.promql, pace_.deadline);
    }));
  }
  NodeSamples samples;
  std::optional<Error> failed;
  for (size_t at = 0; at < queries.size(); ++at) {
    auto answer = answers[at].get();
    if (answer.ok()) {
      samples.*queries[at].place = *std::move(answer);
    } else if (queries[at].required && !failed) {
      failed = answer.error();
    }
  }
  if (failed) return *failed;
  snapshot->nodes = JoinNodes(samples);
  return std::shared_ptr<const NodeSnapshot>(std::move(snapshot));
}

}  // namespace mete
