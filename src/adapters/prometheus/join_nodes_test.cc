#include "adapters/prometheus/join_nodes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace mete {
namespace {

using testing::HasSubstr;

MetricSample Of(const std::string& name, const char* instance, double value) {
  return {.labels = {{"__name__", name}, {"instance", instance}},
          .value = value};
}

// The series of EdgeCloud-Mon's characterization agent for a node. Their
// instance is that of the agent's pod.
void Declare(const std::string& name, NodeSamples& samples) {
  auto add = [&](const char* series, double value) -> MetricSample& {
    MetricSample& sample =
        samples.facts.emplace_back(Of(series, "10.1.1.1:5001", value));
    sample.labels["char_node_name"] = name;
    sample.labels["char_node_class"] = "Computer";
    sample.labels["char_node_uuid"] = "uuid-" + name;
    return sample;
  };
  add("char_node_device_model", 1).labels["char_node_device_model_name"] =
      "Board " + name;
  MetricSample& cores = add("char_node_cpu_total_cores", 4);
  cores.labels["char_node_brand"] = "Cortex-A72";
  cores.labels["char_node_arch"] = "aarch64";
  add("char_node_ram_total_bytes", 4e9);
}

const ClusterNode& Named(const std::vector<ClusterNode>& nodes,
                         const std::string& name) {
  auto found = std::ranges::find(nodes, name, &ClusterNode::name);
  CHECK(found != nodes.end()) << name;
  return *found;
}

TEST(JoinNodes, JoinsSeriesByNameInAnyOrder) {
  NodeSamples samples;
  Declare("a", samples);
  Declare("b", samples);
  samples.load = {Of("", "b", 0.75), Of("", "a:9100", 0.25)};
  samples.disk = {Of("", "b", 0.5)};
  auto nodes = JoinNodes(samples);
  ASSERT_EQ(nodes.size(), 2u);
  EXPECT_EQ(Named(nodes, "a").load, 0.25);
  EXPECT_EQ(Named(nodes, "b").load, 0.75);
  EXPECT_FALSE(Named(nodes, "a").disk_used.has_value());
  EXPECT_EQ(Named(nodes, "b").disk_used, 0.5);
  EXPECT_EQ(Named(nodes, "a").device_model, "Board a");
  EXPECT_EQ(Named(nodes, "a").facts.cores, 4);
  EXPECT_EQ(Named(nodes, "a").facts.architecture, "aarch64");
  EXPECT_FALSE(Named(nodes, "a").unknown.has_value());
}

// With EdgeCloud-Mon's agent every node had the same UUID.
TEST(JoinNodes, EveryNodeHasItsOwnUuid) {
  NodeSamples samples;
  Declare("a", samples);
  Declare("b", samples);
  auto nodes = JoinNodes(samples);
  EXPECT_EQ(Named(nodes, "a").uuid, "uuid-a");
  EXPECT_EQ(Named(nodes, "b").uuid, "uuid-b");
}

// PEPPER combined the i-th load with the i-th device.
TEST(JoinNodes, AMissingSeriesDoesNotShiftOthers) {
  NodeSamples samples;
  for (const char* name : {"a", "b", "c"}) Declare(name, samples);
  samples.load = {Of("", "b", 0.5), Of("", "c", 0.9)};
  auto nodes = JoinNodes(samples);
  EXPECT_THAT(Named(nodes, "a").unknown.value_or(""), HasSubstr("CPU load"));
  EXPECT_EQ(Named(nodes, "b").load, 0.5);
  EXPECT_EQ(Named(nodes, "c").load, 0.9);
}

TEST(JoinNodes, ANodeIsKnownByItsMicroBenchmarks) {
  NodeSamples samples;
  auto speed = [&](const char* threads, double value) {
    for (const char* name : {"gemm_flops_per_second", "conv_flops_per_second",
                             "depthwise_flops_per_second",
                             "elementwise_bytes_per_second", "node_seconds"}) {
      MetricSample& sample = samples.facts.emplace_back(
          Of(std::string("mete_device_engine_") + name, "agent:1", value));
      sample.labels["node"] = "a";
      sample.labels["threads"] = threads;
      sample.labels["engine"] = "onnxruntime 1.22.0";
    }
  };
  speed("4", 8e9);
  speed("1", 3e9);
  samples.facts.pop_back();  // a series for one thread is missing
  samples.cores = {Of("", "a", 4)};
  samples.load = {Of("", "a", 0.1)};
  const ClusterNode node = Named(JoinNodes(samples), "a");
  ASSERT_TRUE(node.micro.has_value());
  ASSERT_EQ(node.micro->speeds.size(), 1u);
  EXPECT_EQ(node.micro->speeds[0].threads, 4);
  EXPECT_EQ(node.micro->speeds[0].gemm_flops_per_second, 8e9);
  EXPECT_EQ(node.micro->engine, "onnxruntime 1.22.0");
  EXPECT_FALSE(node.unknown.has_value());
  samples.cores.clear();
  EXPECT_THAT(Named(JoinNodes(samples), "a").unknown.value_or(""),
              HasSubstr("cores"));
}

TEST(JoinNodes, OurFactsTakePrecedenceOverEdgeCloudMons) {
  NodeSamples samples;
  Declare("a", samples);
  MetricSample& info =
      samples.facts.emplace_back(Of("mete_device_info", "agent:1", 1));
  info.labels["exported_node"] = "a";
  info.labels["node"] = "the-scraper's-label";
  info.labels["cpu_model"] = "Cortex-A76";
  info.labels["uuid"] = "own";
  MetricSample& cores =
      samples.facts.emplace_back(Of("mete_device_cores", "agent:1", 8));
  cores.labels["exported_node"] = "a";
  const ClusterNode node = Named(JoinNodes(samples), "a");
  EXPECT_EQ(node.facts.cores, 8);
  EXPECT_EQ(node.facts.cpu_model, "Cortex-A76");
  EXPECT_EQ(node.uuid, "own");
}

TEST(JoinNodes, NodeExporterFillsWhatIsMissing) {
  NodeSamples samples;
  MetricSample model = Of("char_node_device_model", "p:1", 1);
  model.labels["char_node_name"] = "a";
  samples.facts = {model,
                   Of("node_memory_MemTotal_bytes", "10.0.0.5:9100", 2e9),
                   Of("node_memory_MemAvailable_bytes", "10.0.0.5:9100", 1e9),
                   Of("node_cpu_frequency_max_hertz", "10.0.0.5:9100", 1.5e9),
                   Of("node_uname_info", "10.0.0.5:9100", 1)};
  samples.facts.back().labels["nodename"] = "a";
  samples.facts.back().labels["machine"] = "aarch64";
  samples.load = {Of("", "10.0.0.5:9100", 0.5)};
  samples.cores = {Of("", "10.0.0.5:9100", 4)};
  samples.temperature = {Of("", "10.0.0.5:9100", 61)};
  auto nodes = JoinNodes(samples);
  ASSERT_EQ(nodes.size(), 1u);
  EXPECT_EQ(nodes[0].facts.ram, Bytes{2'000'000'000});
  EXPECT_EQ(nodes[0].memory_available, Bytes{1'000'000'000});
  EXPECT_EQ(nodes[0].facts.max_frequency_hz, 1.5e9);
  EXPECT_EQ(nodes[0].facts.architecture, "aarch64");
  EXPECT_EQ(nodes[0].facts.cores, 4);
  EXPECT_EQ(nodes[0].temperature_celsius, 61);
  EXPECT_EQ(nodes[0].load, 0.5);
  EXPECT_FALSE(nodes[0].unknown.has_value());
}

TEST(JoinNodes, SortsInstancesAmongTheNodes) {
  NodeSamples samples;
  Declare("b", samples);
  samples.load = {Of("", "a:9100", 0.5), Of("", "b", 0.5)};
  auto nodes = JoinNodes(samples);
  ASSERT_EQ(nodes.size(), 2u);
  EXPECT_EQ(nodes[0].name, "a:9100");
  EXPECT_EQ(nodes[1].name, "b");
}

TEST(JoinNodes, AnInstanceOfNoNodeIsUnknown) {
  NodeSamples samples;
  samples.load = {Of("", "stranger:9100", 0.5)};
  auto nodes = JoinNodes(samples);
  ASSERT_EQ(nodes.size(), 1u);
  EXPECT_EQ(nodes[0].name, "stranger:9100");
  EXPECT_THAT(nodes[0].unknown.value_or(""), HasSubstr("only node exporter"));
}

TEST(JoinNodes, DoesNotGuessBetweenTwoInstancesOfOneHost) {
  NodeSamples samples;
  Declare("a", samples);
  samples.load = {Of("", "a:9100", 0.1), Of("", "a:9200", 0.9)};
  const ClusterNode node = Named(JoinNodes(samples), "a");
  EXPECT_FALSE(node.load.has_value());
  EXPECT_THAT(node.unknown.value_or(""), HasSubstr("a:9100 and a:9200"));
  // The exact name is the better claim.
  samples.load.push_back(Of("", "a", 0.4));
  EXPECT_EQ(Named(JoinNodes(samples), "a").load, 0.4);
}

TEST(JoinNodes, ReturnsNoNodesWithoutSeries) {
  EXPECT_TRUE(JoinNodes({}).empty());
}

MetricSample OfNode(const std::string& node, double value) {
  return {.labels = {{"node", node}}, .value = value};
}

TEST(JoinNodes, TheAgentFillsInWhatNodeExporterLacks) {
  NodeSamples samples;
  Declare("a", samples);
  Declare("b", samples);
  samples.load = {Of("", "a", 0.25)};
  samples.own_load = {OfNode("a", 0.9), OfNode("b", 0.5)};
  samples.own_disk = {OfNode("b", 0.7)};
  samples.own_temperature = {OfNode("b", 61), OfNode("elsewhere", 90)};
  auto nodes = JoinNodes(samples);
  EXPECT_EQ(Named(nodes, "a").load, 0.25) << "node exporter takes precedence";
  EXPECT_EQ(Named(nodes, "b").load, 0.5);
  EXPECT_EQ(Named(nodes, "b").disk_used, 0.7);
  EXPECT_EQ(Named(nodes, "b").temperature_celsius, 61);
  EXPECT_FALSE(Named(nodes, "b").unknown.has_value());
  EXPECT_EQ(nodes.size(), 2u);
}

}  // namespace
}  // namespace mete
