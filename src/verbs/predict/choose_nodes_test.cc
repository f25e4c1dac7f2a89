#include "predict/choose_nodes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mete {
namespace {

using testing::ElementsAre;

class ChooseNodesTest : public testing::Test {
 protected:
  std::vector<std::string> Names(const NodeChoice& choice) {
    std::vector<std::string> names;
    for (const ClusterNode& node : Nodes(choice)) names.push_back(node.name);
    return names;
  }
  std::vector<ClusterNode> Nodes(const NodeChoice& choice) {
    return std::get<std::vector<ClusterNode>>(ChooseNodes(choice, all));
  }

  std::vector<ClusterNode> all = {{.name = "a"}, {.name = "b"}, {.name = "c"}};
};

TEST_F(ChooseNodesTest, ChoosesAllNodesWithoutNames) {
  EXPECT_THAT(Names({}), ElementsAre("a", "b", "c"));
}

TEST_F(ChooseNodesTest, ChoosesNamedNodesOnceInTheOrderOfAll) {
  EXPECT_THAT(Names({.names = {"c", "a", "c"}}), ElementsAre("a", "c"));
}

TEST_F(ChooseNodesTest, LoadOfOneNodeOverridesLoadOfAll) {
  all[2].load = 0.1;
  auto nodes = Nodes({.names = {}, .load = 0.5, .loads = {{"b", 0.9}}});
  EXPECT_DOUBLE_EQ(nodes[0].load.value(), 0.5);
  EXPECT_DOUBLE_EQ(nodes[1].load.value(), 0.9);
  EXPECT_DOUBLE_EQ(nodes[2].load.value(), 0.5);
}

TEST_F(ChooseNodesTest, KeepsReportedLoadsByDefault) {
  all[0].load = 0.3;
  EXPECT_DOUBLE_EQ(Nodes({})[0].load.value(), 0.3);
  EXPECT_FALSE(Nodes({})[1].load.has_value());
}

TEST_F(ChooseNodesTest, UnknownNameIsReportedWithTheKnownNames) {
  auto unknown = std::get<UnknownNode>(ChooseNodes({.names = {"x"}}, all));
  EXPECT_EQ(unknown.part, UnknownNode::Part::kNames);
  EXPECT_EQ(unknown.name, "x");
  EXPECT_THAT(unknown.known, ElementsAre("a", "b", "c"));
}

TEST_F(ChooseNodesTest, LoadOfAnUnknownNodeIsReported) {
  auto unknown = std::get<UnknownNode>(
      ChooseNodes({.names = {"a"}, .load = {}, .loads = {{"y", 0.5}}}, all));
  EXPECT_EQ(unknown.part, UnknownNode::Part::kLoads);
  EXPECT_EQ(unknown.name, "y");
}

}  // namespace
}  // namespace mete
