#include "devices/here_nodes.h"

#include <gtest/gtest.h>

#include "tests/fakes/fake_clock.h"

namespace mete {
namespace {

// Two nodes without a load.
class TwoNodes final : public NodeSource {
 public:
  Result<std::shared_ptr<const NodeSnapshot>> Nodes() override {
    auto snapshot = std::make_shared<NodeSnapshot>();
    snapshot->nodes = {{.name = "here", .uuid = "d1", .facts = {.cores = 2}},
                       {.name = "half", .uuid = "d2", .emulated = true}};
    return std::shared_ptr<const NodeSnapshot>(std::move(snapshot));
  }
};

// Two cores, both busy for this share of the time.
class PartlyBusy final : public MachineProbe {
 public:
  PartlyBusy(FakeClock& clock, double share) : clock_(clock), share_(share) {}
  MachineSample Read() override {
    const Seconds busy = Seconds(clock_.Now()) * share_;
    return {
        .core_busy = {{.core = 0, .time = busy}, {.core = 1, .time = busy}}};
  }

 private:
  FakeClock& clock_;
  double share_;
};

TEST(HereNodes, OnlyThisMachineHasTheLoadThatWasReadHere) {
  FakeClock clock;
  TwoNodes source;
  HereNodes nodes(source, "d1", std::make_unique<PartlyBusy>(clock, 0.1),
                  clock);
  auto snapshot = nodes.Nodes();
  ASSERT_TRUE(snapshot.ok());
  ASSERT_TRUE((*snapshot)->nodes[0].load);
  EXPECT_NEAR(*(*snapshot)->nodes[0].load, 0.1, 1e-9);
  EXPECT_FALSE((*snapshot)->nodes[1].load);
}

TEST(HereNodes, ReadsTheLoadAtMostOnceASecond) {
  FakeClock clock;
  TwoNodes source;
  HereNodes nodes(source, "d1", std::make_unique<PartlyBusy>(clock, 0.1),
                  clock);
  ASSERT_TRUE(nodes.Nodes().ok());
  const auto first = clock.Now();
  auto again = nodes.Nodes();
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(clock.Now(), first);  // did not wait
  EXPECT_NEAR((*again)->nodes[0].load.value(), 0.1, 1e-9);
  clock.Advance(std::chrono::milliseconds(1001));
  ASSERT_TRUE(nodes.Nodes().ok());
  EXPECT_GT(clock.Now(), first + std::chrono::milliseconds(1001));
}

TEST(HereNodes, CompetesWithABusyMachineAtMostEvery30Seconds) {
  FakeClock clock;
  TwoNodes source;
  std::vector<int> competed;
  HereNodes nodes(source, "d1", std::make_unique<PartlyBusy>(clock, 0.9), clock,
                  [&](int threads) {
                    competed.push_back(threads);
                    return nullptr;
                  });
  ASSERT_TRUE(nodes.Nodes().ok());
  clock.Advance(std::chrono::seconds(29), {});
  ASSERT_TRUE(nodes.Nodes().ok());
  EXPECT_EQ(competed, std::vector<int>{2});  // the number of cores
  clock.Advance(std::chrono::seconds(2), {});
  ASSERT_TRUE(nodes.Nodes().ok());
  EXPECT_EQ(competed.size(), 2);
}

}  // namespace
}  // namespace mete
