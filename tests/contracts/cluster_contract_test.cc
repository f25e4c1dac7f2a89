// Runs the contract tests with the fake.
#include "tests/contracts/cluster_contract.h"

#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fake_cluster.h"

namespace mete {
namespace {

class FakeClusterMaker {
 public:
  Cluster& cluster() { return cluster_; }
  std::string space() { return "contract"; }
  ObjectMeta AddNode(const std::string& name) {
    return cluster_.AddNode({.meta = {.ref = {.name = name}}});
  }
  ObjectMeta AddPod(const std::string& space, const std::string& name,
                    const LabelMap& labels,
                    const std::vector<OwnerReference>& owners) {
    return cluster_.AddPod({.meta = {.ref = {.space = space, .name = name},
                                     .labels = labels,
                                     .owners = owners}});
  }
  ObjectMeta AddJob(const std::string& space, const std::string& name) {
    return cluster_.AddObject({.ref = {.api_version = "batch/v1",
                                       .kind = "Job",
                                       .space = space,
                                       .name = name}});
  }
  void DeletePod(const std::string& space, const std::string& name) {
    cluster_.DeletePod(space, name);
  }

 private:
  FakeClock clock_;
  FakeCluster cluster_{clock_};
};
INSTANTIATE_TYPED_TEST_SUITE_P(Fake, ClusterContract, FakeClusterMaker);

}  // namespace
}  // namespace mete
