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
    snapshot->nodes = {{.name = "here", .uuid = "d1"},
                       {.name = "half", .uuid = "d2", .emulated = true}};
    return std::shared_ptr<const NodeSnapshot>(std::move(snapshot));
  }
};

// Two cores; one of them was busy since the last reading.
class HalfBusy final : public MachineProbe {
 public:
  explicit HalfBusy(FakeClock& clock) : clock_(clock) {}
  MachineSample Read() override {
    MachineSample sample;
    sample.core_busy = {{.core = 0, .time = Seconds(clock_.Now())},
                        {.core = 1, .time = Seconds(3)}};
    return sample;
  }

 private:
  FakeClock& clock_;
};

TEST(HereNodes, OnlyThisMachineHasTheLoadThatWasReadHere) {
  FakeClock clock;
  TwoNodes source;
  HereNodes nodes(source, "d1", std::make_unique<HalfBusy>(clock), clock);
  auto snapshot = nodes.Nodes();
  ASSERT_TRUE(snapshot.ok());
  ASSERT_TRUE((*snapshot)->nodes[0].load);
  EXPECT_NEAR(*(*snapshot)->nodes[0].load, 0.5, 1e-9);
  EXPECT_FALSE((*snapshot)->nodes[1].load);
}

TEST(HereNodes, ReadsTheLoadAtMostOnceASecond) {
  FakeClock clock;
  TwoNodes source;
  HereNodes nodes(source, "d1", std::make_unique<HalfBusy>(clock), clock);
  ASSERT_TRUE(nodes.Nodes().ok());
  const auto first = clock.Now();
  auto again = nodes.Nodes();
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(clock.Now(), first);  // did not wait
  EXPECT_NEAR((*again)->nodes[0].load.value(), 0.5, 1e-9);
  clock.Advance(std::chrono::milliseconds(1001));
  ASSERT_TRUE(nodes.Nodes().ok());
  EXPECT_GT(clock.Now(), first + std::chrono::milliseconds(1001));
}

}  // namespace
}  // namespace mete
