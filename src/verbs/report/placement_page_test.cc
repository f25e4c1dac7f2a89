#include "report/placement_page.h"

#include <gmock/gmock.h>

namespace mete {
namespace {

using testing::HasSubstr;
using testing::Not;

PlacementPlan SmallPlan() {
  PlacementPlan plan{
      .problem = {.apps = {{.name = "cam<1>",
                            .application = "iclf-mnet",
                            .instances = 2,
                            .rate = 1,
                            .slo = LatencySlo{.limit = Seconds(0.5)},
                            .memory = Mebibytes(512)},
                           {.name = "late", .application = "x", .rate = 1}},
                  .servers = {{.name = "edge", .memory = Gibibytes(4)}}}};
  plan.servers = {
      {.name = "edge-1",
       .type = "edge",
       .apps = {{.app = "cam<1>", .instances = 2, .latency = Seconds(0.25)}}}};
  plan.rejected = {{.app = "late", .constraint = "slo", .reason = "too late"}};
  plan.costs = {"cost table c.yaml"};
  plan.worth.placed = 1;
  plan.worth.servers = 1;
  return plan;
}

TEST(PlacementPage, ShowsServersWithMemoryAndLatency) {
  const std::string page = PlacementPage(SmallPlan());
  EXPECT_THAT(page, HasSubstr("<h2>edge-1</h2>"));
  EXPECT_THAT(page, HasSubstr("1.0\u00a0GiB of 4.0\u00a0GiB"));
  EXPECT_THAT(page, HasSubstr("250\u00a0ms of 500\u00a0ms p95"));
}

TEST(PlacementPage, ExplainsRejections) {
  EXPECT_THAT(PlacementPage(SmallPlan()), HasSubstr("<td>too late</td>"));
}

TEST(PlacementPage, EscapesNames) {
  const std::string page = PlacementPage(SmallPlan());
  EXPECT_THAT(page, HasSubstr("cam&lt;1&gt;"));
  EXPECT_THAT(page, Not(HasSubstr("cam<1>")));
}

}  // namespace
}  // namespace mete
