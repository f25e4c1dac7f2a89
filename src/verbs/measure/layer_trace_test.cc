#include "measure/layer_trace.h"

#include <gtest/gtest.h>

#include "support/json.h"

namespace mete {
namespace {

TEST(ChromeTrace, HasOneEventPerNodeAndCall) {
  Json trace = ParseJson(ChromeTrace({{.name = "conv1",
                                       .op = "Conv",
                                       .iteration = 3,
                                       .start = 5.0,
                                       .seconds = 0.002},
                                      {.name = "relu1",
                                       .op = "Relu",
                                       .iteration = 3,
                                       .start = 5.0025,
                                       .seconds = 0.0005},
                                      {.name = "unknown start"}}))
                   .value();
  const Json& events = trace["traceEvents"];
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0]["name"], "conv1");
  EXPECT_EQ(events[0]["ph"], "X");
  EXPECT_EQ(events[0]["ts"], 0.0);
  EXPECT_NEAR(events[0]["dur"].get<double>(), 2000, 1e-6);
  EXPECT_NEAR(events[1]["ts"].get<double>(), 2500, 1e-6);
  EXPECT_EQ(events[1]["args"]["op"], "Relu");
  EXPECT_EQ(events[1]["args"]["inference"], 3);
}

// Threads of the engine may report in another order.
TEST(ChromeTrace, BeginsWithTheEarliestNode) {
  Json trace = ParseJson(ChromeTrace({{.name = "late", .start = 5.002},
                                      {.name = "early", .start = 5.0},
                                      {.name = "last", .start = 5.003}}))
                   .value();
  const Json& events = trace["traceEvents"];
  EXPECT_NEAR(events[0]["ts"].get<double>(), 2000, 1e-6);
  EXPECT_EQ(events[1]["ts"], 0.0);
  EXPECT_EQ(events[1]["pid"], 1);
  EXPECT_EQ(events[1]["tid"], 1);
  EXPECT_EQ(trace["displayTimeUnit"], "ms");
  EXPECT_TRUE(ParseJson(ChromeTrace({}))->at("traceEvents").empty());
}

}  // namespace
}  // namespace mete
