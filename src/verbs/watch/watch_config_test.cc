#include "watch/watch_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace mete {
namespace {

using testing::HasSubstr;
using testing::Not;

const WatchedMetric* FindMetric(const WatchConfig& config, SubjectKind of,
                                const std::string& name) {
  for (const WatchedMetric& metric : config.metrics) {
    if (metric.of == of && metric.name == name) return &metric;
  }
  return nullptr;
}

std::string AllQueries(const WatchedMetric& metric) {
  std::string all;
  for (const MetricQuery& query : metric.sources) all += query.promql + "\n";
  return all;
}

std::string ErrorFor(const std::string& text) {
  auto config = ParseWatchConfig(text, "w.yaml");
  return config.ok() ? "" : config.error().message();
}

constexpr const char* kMemory =
    "metrics:\n- {name: memory, of: pod, kind: gauge, unit: bytes, sources: "
    "[{query: 'Q', labels: {namespace: ns, pod: pod|p}}]}\n";

std::string Memory(const std::string& query) {
  std::string text = kMemory;
  return text.replace(text.find('Q'), 1, query);
}

// Alnair took the rate of memory, only transmitted bytes, and the seconds spent
// writing as disk I/O.
TEST(WatchConfig, DefaultQueriesAreNotThoseOfAlnair) {
  WatchConfig config = DefaultWatchConfig();
  for (SubjectKind of : {SubjectKind::kNode, SubjectKind::kPod}) {
    const auto* memory = FindMetric(config, of, "memory");
    ASSERT_NE(memory, nullptr);
    EXPECT_FALSE(memory->counter);
    EXPECT_THAT(AllQueries(*memory), Not(HasSubstr("rate(")));
    EXPECT_NE(FindMetric(config, of, "network_receive"), nullptr);
    EXPECT_NE(FindMetric(config, of, "network_transmit"), nullptr);
    EXPECT_EQ(FindMetric(config, of, "disk_read")->unit, "bytes_per_second");
    EXPECT_EQ(FindMetric(config, of, "disk_write")->unit, "bytes_per_second");
    EXPECT_EQ(FindMetric(config, of, "disk_time")->unit, "ratio");
  }
  EXPECT_THAT(
      AllQueries(*FindMetric(config, SubjectKind::kPod, "network_receive")),
      HasSubstr("container_network_receive_bytes_total"));
}

// Alnair's rate(...[5s]) with scrapes every 5 s had too few samples.
TEST(WatchConfig, DefaultRatesCoverSeveralScrapes) {
  WatchConfig config = DefaultWatchConfig();
  EXPECT_GE(config.range, 2 * config.step);
  for (const WatchedMetric& metric : config.metrics) {
    for (const MetricQuery& query : metric.sources) {
      EXPECT_THAT(query.promql, HasSubstr("[$range]")) << metric.name;
    }
  }
}

TEST(WatchConfig, AGaugeHasNoRate) {
  EXPECT_EQ(ErrorFor(Memory("sum(m)")), "");
  EXPECT_THAT(ErrorFor(Memory("sum(rate(m[30s]))")),
              HasSubstr("memory is a gauge, so it has no rate"));
  EXPECT_THAT(ErrorFor(Memory("increase(m[30s])")), HasSubstr("no rate"));
}

TEST(WatchConfig, ACounterRequiresARate) {
  std::string text = Memory("sum(m)");
  text.replace(text.find("gauge"), 5, "counter");
  EXPECT_THAT(ErrorFor(text), HasSubstr("requires rate()"));
}

TEST(WatchConfig, RejectsMistakesWithTheirPlace) {
  EXPECT_THAT(ErrorFor("windows: 1h\n"), HasSubstr("w.yaml:1"));
  EXPECT_THAT(ErrorFor("period: 0s\n"), HasSubstr("100ms"));
  EXPECT_THAT(ErrorFor("window: 1m\nstep: 15s\n" + Memory("m")),
              HasSubstr("at least 8 steps"));
  EXPECT_THAT(ErrorFor("period: 5s\n"), HasSubstr("no metrics"));
  EXPECT_THAT(ErrorFor(Memory("m") + Memory("m").substr(9)),
              HasSubstr("listed twice"));
  EXPECT_THAT(
      ErrorFor("metrics: [{name: a, of: node, kind: gauge, sources: [{query: "
               "m, labels: {pod: p}}]}]"),
      HasSubstr("requires labels: {node: …}"));
  EXPECT_THAT(ErrorFor("metrics: [{name: a, of: moon}]"),
              HasSubstr("not node, pod, gpu or gpu_process"));
}

TEST(WatchConfig, SplitsAlternativeLabels) {
  auto config = ParseWatchConfig(Memory("m"), "w.yaml");
  ASSERT_TRUE(config.ok()) << config.error().message();
  EXPECT_THAT(config->metrics[0].sources[0].labels.at("pod"),
              testing::ElementsAre("pod", "p"));
}

}  // namespace
}  // namespace mete
