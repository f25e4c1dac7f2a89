#include "place/place_network.h"

#include <gmock/gmock.h>

#include "support/json.h"

namespace mete {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

// Remembers what it was asked to start.
class NotingHost final : public ServiceHost {
 public:
  Result<HostedService> Start(const ServiceOrder& order,
                              std::stop_token) override {
    started.push_back(order);
    return HostedService{.id = "a1",
                         .order = order,
                         .state = HostedService::State::kRunning,
                         .url = "http://127.0.0.1:4000"};
  }
  Result<std::vector<HostedService>> List(std::stop_token) override {
    return std::vector<HostedService>();
  }
  Status Stop(const std::string&, std::stop_token) override { return {}; }

  std::vector<ServiceOrder> started;
};

CandidateRanking Ranking() {
  return {.candidates = {{.device = "far", .reachable = false, .value = 0.01},
                         {.device = "small",
                          .emulated = true,
                          .reachable = true,
                          .value = 0.02,
                          .fits_memory = false},
                         {.device = "half",
                          .emulated = true,
                          .reachable = true,
                          .limits = {.memory = Gibibytes(1)},
                          .threads = 2,
                          .value = 0.03,
                          .low = 0.02,
                          .high = 0.05},
                         {.device = "here", .reachable = true, .value = 0.04}}};
}

TEST(PlaceNetwork, StartsItOnTheBestDeviceThatFitsAndCanBeReached) {
  NotingHost host;
  auto placed =
      PlaceNetwork({.network = "nets/le net.onnx"}, Ranking, host, {});
  ASSERT_TRUE(placed.ok()) << placed.error().message();
  ASSERT_EQ(host.started.size(), 1u);
  const ServiceOrder& order = host.started[0];
  EXPECT_EQ(order.device, "half");
  EXPECT_EQ(order.limits.memory, Gibibytes(1));
  EXPECT_EQ(order.threads, 2);
  EXPECT_EQ(order.app, "le-net");
  EXPECT_THAT(order.network, EndsWith("/nets/le net.onnx"));
}

TEST(ServiceName, IsSafeInUrlsAndAsAnArgument) {
  EXPECT_EQ(ServiceNameFor("/nets/le net.onnx"), "le-net");
  EXPECT_EQ(ServiceNameFor("--insecure.onnx"), "insecure");
  EXPECT_EQ(ServiceNameFor(".."), "network");
  EXPECT_EQ(ServiceNameFor("a (1).onnx"), "a--1");
  EXPECT_EQ(ServiceNameFor(std::string(200, 'a')).size(), 63u);
  // An app is not a file: its name may have a dot.
  EXPECT_EQ(SafeServiceName("camera.left"), "camera.left");
}

TEST(ServiceName, OfTheUserIsTakenAsItIsOrRefused) {
  EXPECT_EQ(ParseServiceName("camera.left-2").value(), "camera.left-2");
  for (const char* bad : {"", "..", "-x", "x-", "a/b", "a b", "a\nb"}) {
    EXPECT_FALSE(ParseServiceName(bad).ok()) << bad;
  }
  EXPECT_FALSE(ParseServiceName(std::string(64, 'a')).ok());
}

TEST(PlaceNetwork, SaysWhyTheBestWasNotChosen) {
  NotingHost host;
  auto placed = PlaceNetwork({.network = "n.onnx"}, Ranking, host, {});
  EXPECT_THAT(placed->note, HasSubstr("far ranks higher"));
  EXPECT_THAT(
      NetworkPlacementText(*placed),
      HasSubstr("serving n at http://127.0.0.1:4000/v2/models/n/infer"));
}

TEST(PlaceNetwork, TakesTheNodeThatTheUserChose) {
  NotingHost host;
  auto rank = []() -> Result<CandidateRanking> {
    CandidateRanking ranking = Ranking();
    ranking.others = {{.device = "node-b", .threads = 4}};
    return ranking;
  };
  auto slow =
      PlaceNetwork({.network = "n.onnx", .node = "here"}, rank, host, {});
  ASSERT_TRUE(slow.ok()) << slow.error().message();
  EXPECT_EQ(host.started[0].device, "here");
  // Nothing is predicted for it, and nothing is made up.
  auto unknown =
      PlaceNetwork({.network = "n.onnx", .served = "lenet5", .node = "node-b"},
                   rank, host, {});
  ASSERT_TRUE(unknown.ok()) << unknown.error().message();
  EXPECT_EQ(host.started[1].device, "node-b");
  EXPECT_EQ(host.started[1].threads, 4);
  EXPECT_EQ(host.started[1].network, "lenet5");
  EXPECT_THAT(NetworkPlacementText(*unknown),
              testing::StartsWith("node-b: no prediction\n"));
  EXPECT_FALSE(NetworkPlacementToJson(*unknown)["chosen"].contains("seconds"));

  auto far = PlaceNetwork({.network = "n.onnx", .node = "far"}, rank, host, {});
  EXPECT_EQ(far.error().code(), ErrorCode::kNotFound);
  auto none =
      PlaceNetwork({.network = "n.onnx", .node = "node-c"}, rank, host, {});
  EXPECT_EQ(none.error().message(),
            "services cannot be started on 'node-c'; did you mean 'node-b'?");
}

TEST(PlaceNetwork, OnlySaysWhereInADryRun) {
  NotingHost host;
  auto placed =
      PlaceNetwork({.network = "n.onnx", .dry_run = true}, Ranking, host, {});
  EXPECT_TRUE(host.started.empty());
  EXPECT_THAT(NetworkPlacementText(*placed),
              testing::StartsWith("half: 30.0 ms (20.0 ms to 50.0 ms)\n"));
}

TEST(PlaceNetwork, FailsWithTheReasonOfEveryDevice) {
  NotingHost host;
  auto rank = []() -> Result<CandidateRanking> {
    CandidateRanking ranking = Ranking();
    ranking.candidates.resize(2);
    return ranking;
  };
  auto placed = PlaceNetwork({.network = "n.onnx"}, rank, host, {});
  EXPECT_EQ(placed.error().code(), ErrorCode::kUnsupported);
  EXPECT_THAT(placed.error().message(),
              HasSubstr("far: services cannot be started there"));
  EXPECT_THAT(placed.error().message(), HasSubstr("small: too little memory"));
}

}  // namespace
}  // namespace mete
