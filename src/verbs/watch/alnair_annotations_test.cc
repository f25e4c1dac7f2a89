#include "watch/alnair_annotations.h"

#include <gtest/gtest.h>

#include <ctime>

namespace mete {
namespace {

TEST(AlnairAnnotations, LongNamesAreCutAndStayDistinct) {
  EXPECT_EQ(AlnairKey("gpu-0"), "ai.centaurus.io/gpu-0");
  std::string a = AlnairKey(std::string(70, 'x') + "a");
  std::string b = AlnairKey(std::string(70, 'x') + "b");
  EXPECT_EQ(a.size(), kAlnairPrefix.size() + 63);
  EXPECT_NE(a, b);
}

TEST(AlnairAnnotations, KnowsTheKeysItMayRemove) {
  for (const char* key :
       {"gpu-static", "gpu-0", "gpu-12", "cpu_util", "timestamp",
        "titan34-gpu-0_util", "a-gpu-1_mem_mb", "a-gpu-1_mem_bw_util"}) {
    EXPECT_TRUE(IsAlnairProfileKey(std::string(kAlnairPrefix) + key)) << key;
  }
  for (const char* key :
       {"physical-gpu-count", "physical-gpu-uuids", "vitual-gpu-count",
        "alnair-gpu-id", "alnair-id", "scheduler-timestamp", "gpu-x", "gpu-",
        "a-gpu-_util", "bench-worker-0"}) {
    EXPECT_FALSE(IsAlnairProfileKey(std::string(kAlnairPrefix) + key)) << key;
  }
  EXPECT_FALSE(IsAlnairProfileKey("cpu_util"));
  EXPECT_FALSE(IsAlnairProfileKey("mete.dev/profile"));
}

// Alnair never added keys that the first dictionary lacked.
TEST(AlnairAnnotations, MaximaGrowAndGainKeys) {
  EXPECT_EQ(MergeMaxima("{'cpu_util': 10, 'old': 3, 'node': 'a'}",
                        {{"cpu_util", "9"}, {"new", "1"}, {"node", "'b'"}}),
            "{'cpu_util': 10, 'new': 1, 'node': 'b', 'old': 3}");
  EXPECT_EQ(MergeMaxima("{'cpu_util': 9.5}", {{"cpu_util", "100"}}),
            "{'cpu_util': 100}");
  EXPECT_EQ(MergeMaxima("broken", {{"a", "1"}}), "{'a': 1}");
  EXPECT_EQ(MergeMaxima("{'a': 5, 'a': 7, 'b': 2, 'b': 3}", {{"a", "6"}}),
            "{'a': 7, 'b': 3}");
}

// The owner of a pod may write any annotation; a round must not take minutes.
TEST(AlnairAnnotations, ManyForeignKeysAreMergedInLinearTime) {
  PythonDict many;
  for (int i = 0; i < 150'000; ++i) {
    many.emplace_back(std::to_string(i), "1");
  }
  const std::string text = PythonDictText(many);
  const std::clock_t begin = std::clock();
  EXPECT_EQ(MergeMaxima(text, {}), text);
  EXPECT_LT((std::clock() - begin) / CLOCKS_PER_SEC, 5);
}

}  // namespace
}  // namespace mete
