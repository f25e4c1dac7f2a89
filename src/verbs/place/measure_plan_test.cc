#include "place/measure_plan.h"

#include <gmock/gmock.h>

#include "place/test_problem.h"
#include "tests/fakes/fake_http_channel.h"

namespace mete {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;

// One instance of `app` at 20 requests per second on edge-1.
PlacementPlan OneApp(double limit_seconds) {
  return {.problem = {.apps = {WebApp("app", 20, limit_seconds)},
                      .servers = {EdgeServers(1)}},
          .servers = {{.name = "edge-1",
                       .type = "edge",
                       .apps = {{.app = "app", .instances = 1}}}}};
}

// Loads it; a request takes `service_time`.
Result<std::vector<MeasuredPlacement>> Measure(const PlacementPlan& plan,
                                               milliseconds service_time) {
  FakeClock clock;
  const HostedService service{.id = "a1",
                              .order = {.app = "app", .device = "edge-1"},
                              .state = HostedService::State::kRunning,
                              .url = "http://127.0.0.1:9000"};
  return MeasurePlan(
      plan, {service}, {.window = Seconds(20)},
      {.clock = clock,
       .open_channel = [&]() -> Result<std::unique_ptr<HttpChannel>> {
         return std::unique_ptr<HttpChannel>(std::make_unique<FakeHttpChannel>(
             clock, FakeService{.service_time = [=] { return service_time; }}));
       }},
      {});
}

TEST(MeasurePlan, ComparesTheServiceTimeWithTheSlo) {
  for (const auto& [limit, met] : {std::pair{0.02, true}, {0.005, false}}) {
    auto measured = Measure(OneApp(limit), milliseconds(10));
    ASSERT_TRUE(measured.ok()) << measured.error().message();
    ASSERT_EQ(measured->size(), 1u);
    EXPECT_EQ((*measured)[0].measured, Seconds(0.01));
    EXPECT_EQ((*measured)[0].Met(), met);
  }
}

// Its service time alone is within the limit, but its clients wait for ever.
TEST(MeasurePlan, CountsASaturatedAppAsAnSloThatIsNotMet) {
  auto measured = Measure(OneApp(1), milliseconds(100));
  ASSERT_TRUE(measured.ok()) << measured.error().message();
  EXPECT_EQ((*measured)[0].measured, Seconds(0.1));
  EXPECT_THAT((*measured)[0].remark, HasSubstr("saturated"));
  EXPECT_EQ((*measured)[0].Met(), false);
}

TEST(MeasurePlan, NamesAnInstanceThatDoesNotRun) {
  PlacementPlan plan = OneApp(1);
  plan.problem.apps[0].instances = 2;
  plan.servers[0].apps[0].instances = 2;
  auto measured = Measure(plan, milliseconds(10));
  ASSERT_FALSE(measured.ok());
  EXPECT_EQ(measured.error().message(),
            "app runs with 1 instance on edge-1, the plan has 2");
}

}  // namespace
}  // namespace mete
