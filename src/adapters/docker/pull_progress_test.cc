#include "adapters/docker/pull_progress.h"

#include <gtest/gtest.h>

namespace mete {
namespace {

TEST(PullProgress, SumsTheLayersWhateverTheirPieces) {
  std::string last;
  PullProgress progress([&](const std::string& line) { last = line; });
  std::string text =
      R"({"status":"Pulling fs layer","progressDetail":{},"id":"a"})"
      "\n"
      R"({"status":"Downloading","progressDetail":{"current":1048576,"total":2097152},"id":"a"})"
      "\r\n"
      R"({"status":"Downloading","progressDetail":{"current":1048576,"total":1048576},"id":"b"})"
      "\n"
      R"({"status":"Extracting","progressDetail":{"current":5,"total":9},"id":"b"})"
      "\n";
  for (char byte : text) progress.Take({&byte, 1});
  EXPECT_EQ(last, "2.0 MiB of 3.0 MiB in 2 layers");
  EXPECT_TRUE(progress.status().ok());
}

TEST(PullProgress, KeepsAnErrorDuringThePull) {
  PullProgress progress(nullptr);
  progress.Take("{\"error\":\"manifest unknown\"}\n{\"status\":\"x\"}\n");
  EXPECT_EQ(progress.status().error().message(), "manifest unknown");
}

TEST(PullProgress, IgnoresIncompleteAndOtherLines) {
  PullProgress progress(nullptr);
  progress.Take("nonsense\n[1]\n{\"status\":3}\n{\"error\":4}\n{\"id\":");
  EXPECT_TRUE(progress.status().ok());
}

}  // namespace
}  // namespace mete
