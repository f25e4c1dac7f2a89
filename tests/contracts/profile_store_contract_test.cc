// Runs the contract tests with the fake.
#include "tests/contracts/profile_store_contract.h"

#include "tests/fakes/memory_profile_store.h"

namespace mete {
namespace {

struct MemoryProfileStoreMaker {
  std::unique_ptr<ProfileStore> Make() {
    return std::make_unique<MemoryProfileStore>();
  }
};
INSTANTIATE_TYPED_TEST_SUITE_P(Memory, ProfileStoreContract,
                               MemoryProfileStoreMaker);

}  // namespace
}  // namespace mete
