#include "place/found_servers.h"

#include <gmock/gmock.h>

namespace mete {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Device Board(const std::string& name, uint64_t gibibytes) {
  Device device{.name = name};
  device.facts.cores = 4;
  device.facts.ram = Gibibytes(gibibytes);
  return device;
}

NodeObject Node(const std::string& name, uint64_t gibibytes) {
  NodeObject node;
  node.meta.ref.name = name;
  node.allocatable = {.cpus = Millicores{4000}, .memory = Gibibytes(gibibytes)};
  node.ready = true;
  return node;
}

TEST(FoundServers, TakeTheLimitsOfAnEmulatedDevice) {
  Device half = Board("half", 8);
  half.emulation =
      Emulation{.limits = {.memory = Gibibytes(1), .cpus = Millicores{500}}};
  auto servers = ServersFromDevices({Board("pi", 8), half}, {"half"});
  ASSERT_TRUE(servers.ok()) << servers.error().message();
  ASSERT_EQ(servers->size(), 1u);
  EXPECT_EQ(servers->front().memory, Gibibytes(1));
  EXPECT_DOUBLE_EQ(servers->front().cores, 0.5);
  EXPECT_EQ(ServerName(servers->front(), 0), "half");
}

TEST(FoundServers, NameTheNearestDevice) {
  auto servers = ServersFromDevices({Board("pi", 8)}, {"pj"});
  EXPECT_THAT(servers.error().message(), HasSubstr("did you mean 'pi'?"));
}

TEST(FoundServers, GroupEqualNodesAndLeaveOutThoseThatAcceptNoPods) {
  NodeObject cordoned = Node("d", 8);
  cordoned.unschedulable = true;
  NodeObject broken = Node("e", 8);
  broken.ready = false;
  auto servers = ServersFromNodes(
      {Node("a", 8), Node("b", 4), Node("c", 8), cordoned, broken});
  ASSERT_TRUE(servers.ok());
  ASSERT_EQ(servers->size(), 2u);
  EXPECT_THAT((*servers)[0].names, ElementsAre("b"));
  EXPECT_THAT((*servers)[1].names, ElementsAre("a", "c"));
  EXPECT_EQ((*servers)[1].count, 2);
}

TEST(FoundServers, NodesThatAcceptPodsArePlacesOfOneNetwork) {
  NodeObject cordoned = Node("d", 8);
  cordoned.unschedulable = true;
  NodeObject tiny = Node("t", 1);
  tiny.allocatable.cpus = Millicores{900};
  const auto places = PlacesOnNodes({Node("a", 8), cordoned, tiny});
  ASSERT_EQ(places.size(), 2u);
  EXPECT_EQ(places[0].device, "a");
  EXPECT_EQ(places[0].threads, 4);
  EXPECT_EQ(places[1].threads, 1);
}

TEST(FoundServers, TakeThePredictorOfAnotherDevice) {
  auto servers = ServersFromNodes({Node("a", 8)}).value();
  FillCosts("predictor:pi", servers);
  EXPECT_EQ(servers[0].predictor, "pi");
  EXPECT_EQ(servers[0].costs, "");
}

TEST(FoundServers, UseTheirPredictorUnlessATableIsGiven) {
  auto servers = ServersFromDevices({Board("pi", 8)}, {}).value();
  FillCosts("", servers);
  EXPECT_EQ(servers[0].predictor, "pi");
  auto others = ServersFromDevices({Board("pi", 8)}, {}).value();
  FillCosts("c.yaml", others);
  EXPECT_EQ(others[0].costs, "c.yaml");
  EXPECT_EQ(others[0].predictor, "");
}

}  // namespace
}  // namespace mete
