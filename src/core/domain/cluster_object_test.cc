#include "domain/cluster_object.h"

#include <gtest/gtest.h>

namespace mete {
namespace {

TEST(ClusterObject, IsNamedWithItsNamespace) {
  EXPECT_EQ(ObjectText({.kind = "Pod", .space = "ml", .name = "a"}),
            "Pod ml/a");
  EXPECT_EQ(ObjectText({.kind = "Node", .name = "edge-1"}), "Node edge-1");
}

TEST(ClusterObject, CountsOnlyGpus) {
  ResourceAmounts amounts{.devices = {{"nvidia.com/gpu", 2},
                                      {"amd.com/gpu", 1},
                                      {"hugepages-2Mi", 7}}};
  EXPECT_EQ(CountGpus(amounts), 3);
}

TEST(ClusterObject, SumsWhatEveryContainerStates) {
  PodObject pod;
  pod.containers = {
      {.requests = {.cpus = Millicores{500}, .memory = Mebibytes(10)}},
      {.requests = {.cpus = Millicores{250}, .devices = {{"a/gpu", 1}}}}};
  ResourceAmounts total = TotalRequests(pod);
  EXPECT_EQ(total.cpus, Millicores{750});
  EXPECT_EQ(total.memory, std::nullopt);
  EXPECT_EQ(CountGpus(total), 1);
  EXPECT_EQ(TotalLimits(pod).cpus, std::nullopt);
  EXPECT_EQ(TotalRequests(PodObject{}), ResourceAmounts{});
}

}  // namespace
}  // namespace mete
