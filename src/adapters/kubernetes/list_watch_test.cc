#include "adapters/kubernetes/list_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "adapters/kubernetes/api_objects.h"
#include "adapters/kubernetes/discovery.h"
#include "support/json.h"
#include "tests/fakes/api_stage.h"
#include "tests/fakes/canned_server.h"

namespace mete {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::seconds;
using testing::HasSubstr;

constexpr const char* kEmptyList =
    R"({"metadata":{"resourceVersion":"7"},"items":[]})";

TEST(ListCollection, JoinsThePages) {
  ApiStage stage;
  stage.body = [](const std::string& target) -> std::string {
    if (target.find("continue=next%201") != std::string::npos) {
      return R"({"metadata":{"resourceVersion":"8"},)"
             R"("items":[{"metadata":{"name":"b"}}]})";
    }
    return R"({"metadata":{"resourceVersion":"7","continue":"next 1"},)"
           R"("items":[{"metadata":{"name":"a"}}]})";
  };
  auto all = ListCollection(stage.client, stage.pods, {});
  ASSERT_TRUE(all.ok()) << all.error().message();
  ASSERT_EQ(all->pods.size(), 2u);
  EXPECT_EQ(all->pods[1].meta.ref.name, "b");
  EXPECT_EQ(all->resource_version, "8");
}

TEST(ListCollection, GivesUpOnAListWithoutEnd) {
  ApiStage stage;
  stage.body = [](const std::string&) {
    return R"({"metadata":{"resourceVersion":"7","continue":"again"}})";
  };
  auto all = ListCollection(stage.client, stage.pods, {});
  ASSERT_FALSE(all.ok());
  EXPECT_EQ(all.error().code(), ErrorCode::kCorrupt);
  EXPECT_THAT(all.error().message(), HasSubstr("does not end"));
}

// One pod with an annotation of a thousand bytes.
std::string LargePod(const std::string& name) {
  return R"({"metadata":{"uid":")" + name + R"(","resourceVersion":"8",)" +
         R"("annotations":{"a":")" + std::string(1000, 'x') + R"("}}})";
}

TEST(ListCollection, GivesUpOnObjectsThatWouldFillTheMemory) {
  ApiStage stage;
  stage.pods.largest = Bytes{10'000};
  int pages = 0;
  stage.body = [&](const std::string&) {
    return R"({"metadata":{"resourceVersion":"7","continue":")" +
           std::to_string(++pages) + R"("},"items":[)" + LargePod("a") + "]}";
  };
  auto all = ListCollection(stage.client, stage.pods, {});
  ASSERT_FALSE(all.ok());
  EXPECT_EQ(all.error().code(), ErrorCode::kCorrupt);
  EXPECT_THAT(all.error().message(), HasSubstr("take more than 9.8 KiB"));
  EXPECT_LE(pages, 10);
}

// How often it lists again while a watch reports a pod, under this name or
// under a new one each time, 100 times.
int ListsWhileReporting(bool new_names) {
  ApiStage stage;
  stage.pods.largest = Bytes{10'000};
  std::stop_source stop;
  int reports = 0;
  stage.body = [&](const std::string& target) -> std::string {
    if (target.find("watch=true") == std::string::npos) return kEmptyList;
    if (++reports > 100) stop.request_stop();
    return R"({"type":"ADDED","object":)" +
           LargePod(new_names ? std::to_string(reports) : "a") + "}\n";
  };
  EXPECT_TRUE(WatchCollection(stage.client, stage.pods,
                              {.event = [](const ClusterEvent&) {}},
                              stage.clock, stop.get_token())
                  .ok());
  return stage.lists;
}

TEST(WatchCollection, ListsAgainBeforeNewObjectsFillTheMemory) {
  EXPECT_GE(ListsWhileReporting(true), 8);
  EXPECT_EQ(ListsWhileReporting(false), 1);
}

TEST(WatchCollection, ListsAgainBeforeThereAreTooManyObjects) {
  ApiStage stage;
  stage.pods.most = 10;
  std::stop_source stop;
  int reports = 0;
  stage.body = [&](const std::string& target) -> std::string {
    if (target.find("watch=true") == std::string::npos) return kEmptyList;
    if (++reports > 100) stop.request_stop();
    return R"({"type":"ADDED","object":{"metadata":{"uid":")" +
           std::to_string(reports) + R"("}}})" + "\n";
  };
  EXPECT_TRUE(WatchCollection(stage.client, stage.pods,
                              {.event = [](const ClusterEvent&) {}},
                              stage.clock, stop.get_token())
                  .ok());
  EXPECT_GE(stage.lists, 8);
}

// 64 MiB have room for twenty million objects without content.
TEST(ListCollection, GivesUpOnAPageOfTooManyObjects) {
  ApiStage stage;
  std::string items = "{}";
  for (int i = 0; i < 17; ++i) items += "," + items;
  stage.body = [&](const std::string&) {
    return R"({"metadata":{"resourceVersion":"7"},"items":[)" + items + "]}";
  };
  auto all = ListCollection(stage.client, stage.pods, {});
  ASSERT_FALSE(all.ok());
  EXPECT_EQ(all.error().code(), ErrorCode::kCorrupt);
  EXPECT_THAT(all.error().message(), HasSubstr("more than 100000 objects"));
}

TEST(ListObjects, GivesUpOnAListWithoutEnd) {
  ApiStage stage;
  std::stop_source stop;
  stage.body = [&](const std::string&) {
    if (stage.lists > 1000) stop.request_stop();
    return R"({"metadata":{"continue":"again"},"items":[{}]})";
  };
  auto all =
      ListObjects(stage.client, "/api/v1/services", "a=b", stop.get_token());
  ASSERT_FALSE(all.ok());
  EXPECT_EQ(all.error().code(), ErrorCode::kCorrupt);
  EXPECT_THAT(all.error().message(), HasSubstr("does not end"));
}

TEST(ListObjects, GivesUpOnObjectsThatWouldFillTheMemory) {
  ApiStage stage;
  std::string large = R"({"metadata":{"continue":"again"},"items":[")" +
                      std::string(16u << 20, 'x') + R"("]})";
  stage.body = [&](const std::string&) { return large; };
  auto all = ListObjects(stage.client, "/api/v1/services", "a=b", {});
  ASSERT_FALSE(all.ok());
  EXPECT_EQ(all.error().code(), ErrorCode::kCorrupt);
  EXPECT_THAT(all.error().message(), HasSubstr("larger than 32.0 MiB"));
  EXPECT_LE(stage.lists, 5);
}

TEST(ApiError, NamesTheStatusOfAnAnswerWithoutAMessage) {
  EXPECT_THAT(ApiError({.status = 302, .body = "{}"}, "list pods").message(),
              HasSubstr("list pods: status 302"));
}

// Owner references come from whoever may create pods.
TEST(Discovery, RefusesNamesThatAreFoldersInAPath) {
  ApiStage stage;
  std::vector<std::string> targets;
  stage.body = [&](const std::string& target) {
    targets.push_back(target);
    return R"({"resources":[{"kind":"K","name":"ks","namespaced":true}]})";
  };
  Discovery discovery(stage.client, stage.clock);
  for (const ObjectRef& object :
       {ObjectRef{.api_version = "../v1", .kind = "K", .name = "a"},
        ObjectRef{.api_version = "a/..", .kind = "K", .name = "a"},
        ObjectRef{.api_version = "v1", .kind = "K", .name = ".."},
        ObjectRef{.api_version = "v1", .kind = "K", .space = ".", .name = "a"},
        ObjectRef{.api_version = "", .kind = "K", .name = "a"},
        ObjectRef{.api_version = "v1", .kind = "K", .name = ""}}) {
    auto path = discovery.Path(object, {});
    ASSERT_FALSE(path.ok()) << *path;
    EXPECT_EQ(path.error().code(), ErrorCode::kNotFound);
  }
  EXPECT_TRUE(targets.empty());
  EXPECT_EQ(
      discovery.Path({.api_version = "v1", .kind = "K", .name = "..a"}, {})
          .value(),
      "/api/v1/ks/..a");
}

// What one minute of watching, or 500 requests, take.
struct WatchedMinute {
  int lists = 0;
  int watches = 0;
  nanoseconds passed{0};
};

// A server ends every watch after one line, and after it has lasted this long.
WatchedMinute WatchForAMinute(const std::string& line,
                              nanoseconds lasts = nanoseconds(0)) {
  ApiStage stage;
  std::stop_source stop;
  WatchedMinute minute;
  stage.body = [&](const std::string& target) -> std::string {
    if (stage.clock.Now() > seconds(60) ||
        stage.lists + minute.watches >= 500) {
      stop.request_stop();
      return "";
    }
    if (target.find("watch=true") == std::string::npos) return kEmptyList;
    ++minute.watches;
    stage.clock.Advance(lasts);
    return line + "\n";
  };
  Status watched = WatchCollection(stage.client, stage.pods,
                                   {.event = [](const ClusterEvent&) {}},
                                   stage.clock, stop.get_token());
  EXPECT_TRUE(watched.ok());
  minute.lists = stage.lists;
  minute.passed = stage.clock.Now();
  return minute;
}

constexpr const char* kBookmark =
    R"({"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"9"}}})";

// Each list of a large cluster is expensive.
TEST(WatchCollection, PausesLongerWhileEveryVersionHasExpired) {
  EXPECT_LT(WatchForAMinute(R"({"type":"ERROR","object":{"code":410}})").lists,
            20);
}

TEST(WatchCollection, ListsOnceIfTheWatchReportsChanges) {
  EXPECT_EQ(WatchForAMinute(kBookmark).lists, 1);
}

TEST(WatchCollection, PausesLongerWhileEveryWatchEndsAfterOneChange) {
  EXPECT_LT(WatchForAMinute(kBookmark).watches, 20);
}

TEST(WatchCollection, ResumesAWatchThatLastedWithoutAPause) {
  const WatchedMinute minute = WatchForAMinute(kBookmark, seconds(10));
  EXPECT_EQ(minute.watches, 7);
  EXPECT_EQ(minute.passed, seconds(70));
}

TEST(ApiClient, DisconnectsAServerThatNeverFinishes) {
  CannedServer server({.pieces = std::vector<std::string>(60, "x")});
  FakeClock clock;
  ApiClient client(
      {.server = {.endpoint = server.endpoint(), .path = ""}}, clock,
      {.retry_for = seconds(0), .longest_exchange = milliseconds(50)});
  auto answer = client.Send({.target = "/api/v1/nodes"});
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().code(), ErrorCode::kTimeout);
}

}  // namespace
}  // namespace mete
