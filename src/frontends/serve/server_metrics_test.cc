#include "serve/server_metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "serve/reply.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fixed_nodes.h"

namespace mete {
namespace {

using testing::HasSubstr;

TEST(ServerMetrics, CountRequestsAndExposeNodes) {
  FakeClock clock;
  FixedNodes nodes;
  nodes.snapshot.taken_at = clock.Wall();
  nodes.snapshot.nodes = {{.name = "a"}, {.name = "b", .unknown = "dark"}};
  Router router;
  router.Add("GET", "/x/{id}", [&](const RoutedRequest&) {
    clock.Advance(std::chrono::milliseconds(3));
    return ErrorReply(404, "not_found", "none");
  });
  ServerMetrics metrics(clock, nodes);
  metrics.PutAround(router);
  router.Route({.target = "/x/1"});
  router.Route({.target = "/x/2"});
  clock.Advance(std::chrono::seconds(4));
  std::string text = metrics.Text();
  EXPECT_THAT(text, HasSubstr("mete_http_requests_total{method=\"GET\",route="
                              "\"/x/{id}\",code=\"4xx\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("route=\"/x/{id}\",le=\"0.001\"} 0\n"));
  EXPECT_THAT(text, HasSubstr("route=\"/x/{id}\",le=\"0.005\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("_sum{method=\"GET\",route=\"/x/{id}\"} 0.006"));
  EXPECT_THAT(text, HasSubstr("mete_nodes{state=\"unknown\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("mete_node_source_up 1\n"));
  EXPECT_THAT(text, HasSubstr("mete_node_snapshot_age_seconds 4.006\n"));
}

}  // namespace
}  // namespace mete
