#include "adapters/kubernetes/job_api.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "tests/fakes/api_stage.h"

namespace mete {
namespace {

using std::chrono::seconds;

// How many requests follow the pods of a Job for a minute, at most 500, if
// every watch ends after this text.
int RequestsInAMinute(const std::string& text) {
  ApiStage stage;
  std::stop_source stop;
  int requests = 0;
  stage.body = [&](const std::string& target) -> std::string {
    if (stage.clock.Now() > seconds(60) || ++requests >= 500) {
      stop.request_stop();
    }
    if (target.find("watch=true") != std::string::npos) return text;
    return R"({"metadata":{"resourceVersion":"7"},"items":[]})";
  };
  JobApi api(stage.client, "ml");
  Status followed = api.Follow(
      "job", [](const PodChange&) { return true; }, stop.get_token());
  EXPECT_TRUE(followed.ok());
  return requests;
}

TEST(JobApi, PausesLongerWhileEveryWatchEndsAtOnce) {
  EXPECT_LT(RequestsInAMinute(""), 20);
}

TEST(JobApi, PausesLongerWhileEveryWatchEndsAfterOneChange) {
  EXPECT_LT(RequestsInAMinute(R"({"type":"MODIFIED","object":)"
                              R"({"metadata":{"name":"p","uid":"u",)"
                              R"("resourceVersion":"8"}}})"
                              "\n"),
            20);
}

TEST(JobApi, PausesLongerWhileEveryVersionHasExpired) {
  EXPECT_LT(RequestsInAMinute(R"({"type":"ERROR","object":{"code":410}})"
                              "\n"),
            40);
}

}  // namespace
}  // namespace mete
