#include "hosting/cluster_hosting.h"

#include <gmock/gmock.h>

#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fake_cluster_services.h"

namespace mete {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

struct ClusterStage {
  FakeClock clock;
  FakeClusterServices services;
  int drawn = 0;
  ClusterHosting host{{.services = services, .clock = clock, .draw_id = [this] {
                         return "0000000" + std::to_string(++drawn);
                       }}};

  static ServiceOrder Order() {
    return {.app = "Digits.2",
            .network = "lenet5",
            .device = "node-b",
            .limits = {.memory = Mebibytes(300)},
            .threads = 2,
            .launcher = "kubernetes",
            .image = "mete:1",
            .instances = 3};
  }
};

TEST(ClusterHosting, BindsTheInstancesToTheNodeAndWaitsForThem) {
  ClusterStage stage;
  stage.services.ReadyAfter(3);
  auto started = stage.host.Start(ClusterStage::Order(), {});
  ASSERT_TRUE(started.ok()) << started.error().message();
  EXPECT_EQ(started->id, "mete-digits-2-00000001");
  EXPECT_EQ(started->state, HostedService::State::kRunning);
  EXPECT_EQ(started->url, "http://mete-digits-2-00000001.fake.svc:8000");
  const auto order = stage.services.Order(started->id);
  ASSERT_TRUE(order);
  EXPECT_EQ(order->node, "node-b");
  EXPECT_EQ(order->instances, 3);
  EXPECT_EQ(order->limits.memory, Mebibytes(300));
  EXPECT_EQ(order->ready_path, "/v2/health/ready");
  EXPECT_THAT(
      order->arguments,
      ElementsAre("service", "lenet5", "--listen", "0.0.0.0:8000", "--insecure",
                  "--threads", "2", "--name", "Digits.2", "--drain", "10s"));
}

TEST(ClusterHosting, ListsWhatItStartedFromLabelsAlone) {
  ClusterStage stage;
  ServiceOrder order = ClusterStage::Order();
  order.plan = "plan-0123456789ab";
  ASSERT_TRUE(stage.host.Start(order, {}).ok());
  // Of another command of mete.
  ASSERT_TRUE(stage.services.Apply({.name = "other", .image = "x"}, {}).ok());
  ClusterHosting later({.services = stage.services,
                        .clock = stage.clock,
                        .draw_id = [] { return "x"; }});
  auto listed = later.List({});
  ASSERT_TRUE(listed.ok());
  ASSERT_THAT(*listed, SizeIs(1));
  const HostedService& one = listed->front();
  EXPECT_EQ(one.order.app, "Digits.2");
  EXPECT_EQ(one.order.network, "lenet5");
  EXPECT_EQ(one.order.device, "node-b");
  EXPECT_EQ(one.order.plan, "plan-0123456789ab");
  EXPECT_EQ(one.order.image, "mete:1");
  EXPECT_EQ(one.order.instances, 3);
  EXPECT_EQ(one.order.launcher, "kubernetes");
  ASSERT_TRUE(later.Stop(one.id, {}).ok());
  EXPECT_THAT(*later.List({}), IsEmpty());
}

TEST(ClusterHosting, APlanThatIsAppliedAgainChangesTheSameService) {
  ClusterStage stage;
  ServiceOrder order = ClusterStage::Order();
  order.plan = "plan-0123456789ab";
  const std::string id = stage.host.Start(order, {})->id;
  order.instances = 1;
  EXPECT_EQ(stage.host.Start(order, {})->id, id);
  EXPECT_EQ(stage.services.Order(id)->instances, 1);
  order.device = "node-c";
  EXPECT_NE(stage.host.Start(order, {})->id, id);
  order.plan.clear();
  EXPECT_NE(stage.host.Start(order, {})->id, stage.host.Start(order, {})->id);
}

TEST(ClusterHosting, LeavesNothingOfAServiceThatDoesNotStart) {
  ClusterStage stage;
  stage.services.Break("mete-digits-2-00000001",
                       NotFound("ImagePullBackOff: no such image"));
  auto started = stage.host.Start(ClusterStage::Order(), {});
  ASSERT_FALSE(started.ok());
  EXPECT_THAT(started.error().message(), HasSubstr("no such image"));
  EXPECT_FALSE(stage.services.Order("mete-digits-2-00000001"));
}

TEST(ClusterHosting, LeavesNothingAfterCtrlC) {
  ClusterStage stage;
  stage.services.ReadyAfter(100);
  std::stop_source stop;
  stop.request_stop();
  auto started = stage.host.Start(ClusterStage::Order(), stop.get_token());
  EXPECT_EQ(started.error().code(), ErrorCode::kInterrupted);
  EXPECT_THAT(*stage.host.List({}), IsEmpty());
}

TEST(ClusterHosting, RefusesFilesThatTheClusterCannotRead) {
  ClusterStage stage;
  ServiceOrder order = ClusterStage::Order();
  order.network = "/nets/lenet5.onnx";
  auto started = stage.host.Start(order, {});
  EXPECT_EQ(started.error().code(), ErrorCode::kInvalidInput);
  EXPECT_THAT(started.error().message(),
              HasSubstr("a cluster cannot read /nets/lenet5.onnx"));
  EXPECT_THAT(*stage.host.List({}), IsEmpty());
  order.network = "image:/srv/lenet5.onnx";
  auto inside = ToClusterOrder(order, "1");
  ASSERT_TRUE(inside.ok());
  EXPECT_EQ(inside->arguments[1], "/srv/lenet5.onnx");
}

TEST(ClusterHosting, StopsOnlyServicesOfMetePlace) {
  ClusterStage stage;
  ASSERT_TRUE(stage.services.Apply({.name = "other", .image = "x"}, {}).ok());
  EXPECT_EQ(stage.host.Stop("other", {}).error().code(), ErrorCode::kNotFound);
  EXPECT_EQ(stage.host.Stop("none", {}).error().code(), ErrorCode::kNotFound);
  EXPECT_TRUE(stage.services.Order("other"));
}

// Nodes of some providers have names that no label can hold.
TEST(ClusterHosting, TakesALongNodeNameFromThePods) {
  ClusterStage stage;
  ServiceOrder order = ClusterStage::Order();
  order.device = std::string(30, 'n') + "." + std::string(60, 'd');
  ASSERT_TRUE(stage.host.Start(order, {}).ok());
  EXPECT_EQ(stage.host.List({})->front().order.device, order.device);
}

}  // namespace
}  // namespace mete
