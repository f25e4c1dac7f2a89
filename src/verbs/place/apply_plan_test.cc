#include "place/apply_plan.h"

#include <gmock/gmock.h>

#include "place/test_problem.h"
#include "support/json.h"
#include "support/text.h"

namespace mete {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Two instances of a on edge-1, one of b on edge-2.
PlacementPlan TwoServers() {
  PlacementPlan plan{.problem = {.apps = {WebApp("a", 1, 1), WebApp("b", 1, 1)},
                                 .servers = {EdgeServers(2)}}};
  plan.problem.apps[0].instances = 2;
  plan.problem.apps[1].network = "/nets/b.onnx";
  plan.servers = {{.name = "edge-1",
                   .type = "edge",
                   .apps = {{.app = "a", .instances = 2}}},
                  {.name = "edge-2",
                   .type = "edge",
                   .apps = {{.app = "b", .instances = 1}}}};
  return plan;
}

// Starts until it has started `most`, and cannot stop `stuck`.
class LimitedHost final : public ServiceHost {
 public:
  explicit LimitedHost(size_t most, std::string stuck = "")
      : most_(most), stuck_(std::move(stuck)) {}
  Result<HostedService> Start(const ServiceOrder& order,
                              std::stop_token) override {
    if (running.size() == most_) return Unavailable("full");
    running.push_back("s" + std::to_string(running.size()));
    return HostedService{.id = running.back(), .order = order};
  }
  Result<std::vector<HostedService>> List(std::stop_token) override {
    return std::vector<HostedService>();
  }
  Status Stop(const std::string& id, std::stop_token) override {
    if (id == stuck_) return Unavailable("no answer");
    std::erase(running, id);
    return {};
  }
  std::vector<std::string> running;

 private:
  size_t most_;
  std::string stuck_;
};

TEST(ApplyPlan, StartsEveryInstanceWithItsMemoryOnItsCpus) {
  const PlannedServices planned = ServicesOf(TwoServers(), {.cpus = 2});
  ASSERT_EQ(planned.services.size(), 3u);
  EXPECT_THAT(planned.notes, IsEmpty());
  EXPECT_EQ(planned.services[1].order.limits.memory, Gibibytes(1));
  EXPECT_EQ(planned.services[1].order.limits.pin, "0");
  EXPECT_EQ(planned.services[2].order.limits.pin, "1");
  EXPECT_EQ(planned.services[0].order.network, "web");
  EXPECT_EQ(planned.services[2].order.network, "/nets/b.onnx");
}

TEST(ApplyPlan, NamesTheCpuInsteadOfACountThatReadsLikeNone) {
  const std::string text =
      PlannedServicesText(ServicesOf(TwoServers(), {.cpus = 2}));
  EXPECT_THAT(text, HasSubstr("on CPU 0"));
}

// Their services must not be mistaken for each other.
TEST(ApplyPlan, KeepsNamesWithADotApart) {
  PlacementPlan plan = TwoServers();
  plan.problem.apps[0].name = plan.servers[0].apps[0].app = "cam.left";
  plan.problem.apps[1].name = plan.servers[1].apps[0].app = "cam.right";
  const PlannedServices planned = ServicesOf(plan, {.cpus = 2});
  EXPECT_EQ(planned.services[0].order.app, "cam.left");
  EXPECT_EQ(planned.services[2].order.app, "cam.right");
}

TEST(ApplyPlan, SaysThatServersShareCpusIfThereAreTooFew) {
  const PlannedServices planned = ServicesOf(TwoServers(), {.cpus = 1});
  EXPECT_FALSE(planned.services[0].order.limits.pin);
  EXPECT_THAT(planned.notes, ElementsAre(HasSubstr("too few CPUs")));
}

TEST(ApplyPlan, StopsWhatRunsIfOneServiceFails) {
  LimitedHost host(2);
  auto started =
      StartServices(ServicesOf(TwoServers(), {.cpus = 2}), host, {}, {});
  EXPECT_EQ(started.error().message(), "full");
  EXPECT_THAT(host.running, IsEmpty());
}

TEST(ApplyPlan, StopsTheOthersIfOneCannotBeStopped) {
  LimitedHost host(2, "s0");
  auto started =
      StartServices(ServicesOf(TwoServers(), {.cpus = 2}), host, {}, {});
  EXPECT_EQ(started.error().message(), "full; s0 still runs: no answer");
  EXPECT_THAT(host.running, ElementsAre("s0"));
}

TEST(ApplyPlan, StartsTheInstancesOnANodeOfAClusterAsOneService) {
  const PlannedServices planned = ServicesOf(
      TwoServers(),
      {.launcher = "kubernetes", .image = "mete:1", .id = "plan-1", .cpus = 1});
  ASSERT_EQ(planned.services.size(), 2u);
  EXPECT_THAT(planned.notes, IsEmpty());
  const ServiceOrder& first = planned.services[0].order;
  EXPECT_EQ(first.instances, 2);
  EXPECT_EQ(first.device, "edge-1");
  EXPECT_EQ(first.limits.memory, Gibibytes(1));
  // Nodes choose the CPUs of pods.
  EXPECT_FALSE(first.limits.pin);
  EXPECT_EQ(planned.services[1].order.device, "edge-2");
}

TEST(ApplyPlan, GivesEqualPlansTheSameId) {
  EXPECT_EQ(PlanId(TwoServers()), PlanId(TwoServers()));
  PlacementPlan other = TwoServers();
  other.seed = 2;
  EXPECT_NE(PlanId(other), PlanId(TwoServers()));
}

}  // namespace
}  // namespace mete
