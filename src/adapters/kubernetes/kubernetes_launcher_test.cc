#include "adapters/kubernetes/kubernetes_launcher.h"

#include <gtest/gtest.h>

#include "tests/fakes/api_stage.h"

namespace mete {
namespace {

// The server is overloaded, and the user presses Ctrl-C when it says so.
TEST(KubernetesLauncher, StopsConnectingWhenAStopIsRequested) {
  ApiStage stage;
  std::stop_source stop;
  stage.status = 503;
  stage.body = [&](const std::string&) {
    stop.request_stop();
    return "{}";
  };
  auto opened = KubernetesLauncher::Open({.access = stage.client.access()},
                                         stage.clock, stop.get_token());
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.error().code(), ErrorCode::kInterrupted);
  EXPECT_EQ(stage.lists, 1);
}

}  // namespace
}  // namespace mete
