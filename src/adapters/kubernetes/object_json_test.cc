#include "adapters/kubernetes/object_json.h"

#include <gtest/gtest.h>

#include "support/file.h"

namespace mete {
namespace {

// Recorded from a Kubernetes 1.20 API server.
std::string Recorded(const std::string& name) {
  auto text =
      ReadFile(std::filesystem::path(METE_FIXTURES) / "kubernetes" / name);
  EXPECT_TRUE(text.ok()) << text.error().message();
  return text.ok() ? *text : "";
}

TEST(ObjectJson, ReadsARecordedListOfPods) {
  auto page = ParsePodPage(Recorded("pods.json"));
  ASSERT_TRUE(page.ok()) << page.error().message();
  ASSERT_EQ(page->items.size(), 1u);
  EXPECT_FALSE(page->resource_version.empty());
  const PodObject& pod = page->items[0];
  EXPECT_EQ(pod.phase, PodPhase::kFailed);
  EXPECT_EQ(pod.node, "node-a");
  ASSERT_EQ(pod.containers.size(), 1u);
  EXPECT_EQ(pod.containers[0].requests.cpus, Millicores{1500});
  EXPECT_EQ(pod.containers[0].requests.memory, Mebibytes(64));
  EXPECT_EQ(pod.containers[0].last_ending, "OOMKilled");
  ASSERT_EQ(pod.meta.owners.size(), 1u);
  EXPECT_EQ(pod.meta.owners[0].kind, "Job");
  EXPECT_TRUE(pod.meta.owners[0].controller);
  EXPECT_TRUE(pod.meta.created_at.has_value());
}

TEST(ObjectJson, ReadsARecordedListOfNodes) {
  auto page = ParseNodePage(Recorded("nodes.json"));
  ASSERT_TRUE(page.ok()) << page.error().message();
  ASSERT_EQ(page->items.size(), 2u);
  EXPECT_EQ(page->items[0].meta.ref.name, "node-a");
  EXPECT_EQ(page->items[0].capacity.cpus, Millicores{4000});
  EXPECT_EQ(page->items[0].allocatable.memory, Gibibytes(8));
  EXPECT_TRUE(page->items[0].ready);
}

TEST(ObjectJson, ReadsRecordedResources) {
  auto resources = ParseResources(Recorded("batch_v1.json"));
  ASSERT_TRUE(resources.ok()) << resources.error().message();
  ASSERT_EQ(resources->size(), 1u);  // without jobs/status
  EXPECT_EQ(resources->at(0).plural, "jobs");
  EXPECT_TRUE(resources->at(0).in_spaces);
}

TEST(ObjectJson, ReadsAnExpiredVersion) {
  auto line =
      ParseWatchLine(R"({"type":"ERROR","object":{"kind":"Status","code":410,)"
                     R"("message":"too old resource version"}})",
                     WatchedKind::kPods);
  ASSERT_TRUE(line.ok()) << line.error().message();
  EXPECT_EQ(line->error_status, 410);
}

TEST(ObjectJson, ABookmarkHasAVersionOnly) {
  auto line = ParseWatchLine(R"({"type":"BOOKMARK","object":{"kind":"Pod",)"
                             R"("metadata":{"resourceVersion":"77"}}})",
                             WatchedKind::kPods);
  ASSERT_TRUE(line.ok()) << line.error().message();
  EXPECT_EQ(line->resource_version, "77");
  EXPECT_TRUE(line->objects.pods.empty());
}

TEST(ObjectJson, RejectsWhatIsNotAnObject) {
  EXPECT_FALSE(ParsePodPage("").ok());
  EXPECT_FALSE(ParsePodPage("[1]").ok());
  EXPECT_FALSE(ParseWatchLine("{}", WatchedKind::kPods).ok());
  EXPECT_FALSE(ParseMeta("{}", {}).ok());
}

}  // namespace
}  // namespace mete
