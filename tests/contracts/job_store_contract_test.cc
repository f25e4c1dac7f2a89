// Runs the contract tests with the fake.
#include "tests/contracts/job_store_contract.h"

#include "tests/fakes/memory_job_store.h"

namespace mete {
namespace {

struct MemoryJobStoreMaker {
  std::unique_ptr<JobStore> Make() {
    return std::make_unique<MemoryJobStore>();
  }
};
INSTANTIATE_TYPED_TEST_SUITE_P(Memory, JobStoreContract, MemoryJobStoreMaker);

}  // namespace
}  // namespace mete
