#include "simulate/gpu_trace.h"

#include <gmock/gmock.h>

#include "simulate/test_traces.h"

namespace mete {
namespace {

using testing::HasSubstr;

std::string ComplaintAbout(const std::string& nodes, const std::string& pods) {
  const auto trace = ParseGpuTrace({.nodes = nodes, .pods = pods});
  if (trace.ok()) return "";
  EXPECT_EQ(trace.error().code(), ErrorCode::kInvalidInput);
  EXPECT_EQ(trace.error().message().find('\n'), std::string::npos);
  return trace.error().message();
}

std::string ComplaintAboutPod(const std::string& line) {
  return ComplaintAbout(kTestNodes,
                        "name,cpu_milli,memory_mib,num_gpu,gpu_milli\n" + line);
}

TEST(GpuTrace, OrdersNodesByNameAndLeavesOutThoseWithoutGpus) {
  const GpuTrace trace = TestTrace();
  ASSERT_EQ(trace.nodes.size(), 3u);
  EXPECT_EQ(trace.nodes[2].gpus, 1);
  EXPECT_EQ(trace.nodes_without_gpus, 1u);
  EXPECT_EQ(trace.GpuMilli(), 5000);
}

TEST(GpuTrace, ReadsPartsWholesTypesAndPodsWithoutGpus) {
  const GpuTrace trace = TestTrace();
  ASSERT_EQ(trace.pods.size(), 4u);
  EXPECT_TRUE(trace.pods[0].shares());
  EXPECT_FALSE(Fits(trace.nodes[0], trace.pods[1]));  // V only
  EXPECT_TRUE(Fits(trace.nodes[2], trace.pods[1]));
  EXPECT_TRUE(Fits(trace.nodes[0], trace.pods[2]));
  EXPECT_EQ(trace.pods[3].TotalGpuMilli(), 0);
  EXPECT_EQ(trace.MostGpus(), 2);
  EXPECT_EQ(trace.too_large, 0u);
}

TEST(GpuTrace, CountsPodsLargerThanAnyNode) {
  const auto trace =
      ParseGpuTrace({.nodes = kTestNodes,
                     .pods = "name,cpu_milli,memory_mib,num_gpu,gpu_milli\n"
                             "fits,1,1,1,1000\nhuge,1,1,3,1000\n"})
          .value();
  EXPECT_EQ(trace.too_large, 1u);
  EXPECT_EQ(trace.first_too_large, "huge");
}

TEST(GpuTrace, NamesAMissingColumn) {
  EXPECT_EQ(ComplaintAbout("sn,cpu_mili,memory_mib,gpu,model\n", kTestPods),
            "nodes: column 'cpu_milli' is missing; did you mean 'cpu_mili'?");
  EXPECT_THAT(ComplaintAbout(kTestNodes, "name\n"),
              HasSubstr("pods: column 'cpu_milli' is missing"));
}

TEST(GpuTrace, NamesTheLineOfABadNumber) {
  EXPECT_EQ(ComplaintAboutPod("a,1,1,0,0\nb,-4,1,0,0\n"),
            "pods: line 3: cpu_milli is '-4'; expected a whole number from 0 "
            "to 1000000000000");
  EXPECT_THAT(ComplaintAboutPod("a,1.5,1,0,0\n"), HasSubstr("'1.5'"));
  EXPECT_THAT(ComplaintAboutPod("a,1,1,1,1001\n"), HasSubstr("'1001'"));
  EXPECT_THAT(ComplaintAboutPod("a,1,1,17,1000\n"), HasSubstr("'17'"));
}

TEST(GpuTrace, RejectsPartsOfSeveralGpus) {
  EXPECT_THAT(ComplaintAboutPod("a,1,1,2,500\n"), HasSubstr("not 2 x 500"));
  EXPECT_THAT(ComplaintAboutPod("a,1,1,1,0\n"), HasSubstr("not 1 x 0"));
}

TEST(GpuTrace, RejectsDoubledNamesAndShortLines) {
  EXPECT_THAT(ComplaintAboutPod("a,1,1,0,0\na,1,1,0,0\n"),
              HasSubstr("line 3: 'a' appears twice"));
  EXPECT_THAT(ComplaintAboutPod("a,1,1,0\n"),
              HasSubstr("line 2: 4 cells, but 5 columns"));
}

TEST(GpuTrace, RequiresGpusOnBothSides) {
  EXPECT_EQ(ComplaintAbout("sn,cpu_milli,memory_mib,gpu,model\nn,1,1,0,\n",
                           kTestPods),
            "nodes: no node has a GPU");
  EXPECT_EQ(ComplaintAboutPod("a,1,1,0,0\n"), "pods: no pod requires a GPU");
  EXPECT_EQ(ComplaintAbout("", kTestPods), "nodes: the file is empty");
}

}  // namespace
}  // namespace mete
