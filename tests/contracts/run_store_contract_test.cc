// Runs the contract tests with the fake.
#include "tests/contracts/run_store_contract.h"

#include "tests/fakes/memory_run_store.h"

namespace mete {
namespace {

struct MemoryStoreMaker {
  std::unique_ptr<RunStore> Make() {
    return std::make_unique<MemoryRunStore>();
  }
};
INSTANTIATE_TYPED_TEST_SUITE_P(Memory, RunStoreContract, MemoryStoreMaker);

}  // namespace
}  // namespace mete
