// Runs the contract tests with the fake.
#include "tests/contracts/cluster_services_contract.h"

#include "tests/fakes/fake_cluster_services.h"

namespace mete {
namespace {

class FakeClusterServicesMaker {
 public:
  ClusterServices& services() { return services_; }
  void AddForeign(const std::string& name) { services_.AddForeign(name); }
  void MakeReady(const std::string& name) { services_.MakeReady(name); }

 private:
  FakeClusterServices services_;
};
INSTANTIATE_TYPED_TEST_SUITE_P(Fake, ClusterServicesContract,
                               FakeClusterServicesMaker);

}  // namespace
}  // namespace mete
