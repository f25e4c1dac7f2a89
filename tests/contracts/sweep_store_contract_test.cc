// Runs the contract tests with the fake.
#include "tests/contracts/sweep_store_contract.h"

#include "tests/fakes/memory_sweep_store.h"

namespace mete {
namespace {

struct MemorySweepStoreMaker {
  std::unique_ptr<SweepStore> Make() {
    return std::make_unique<MemorySweepStore>();
  }
};
INSTANTIATE_TYPED_TEST_SUITE_P(Memory, SweepStoreContract,
                               MemorySweepStoreMaker);

}  // namespace
}  // namespace mete
