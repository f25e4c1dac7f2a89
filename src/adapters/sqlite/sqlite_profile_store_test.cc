#include "adapters/sqlite/sqlite_profile_store.h"

#include "support/file.h"
#include "tests/contracts/profile_store_contract.h"

namespace mete {
namespace {

struct SqliteProfileStoreMaker {
  std::unique_ptr<ProfileStore> Make() {
    auto store = SqliteProfileStore::Open({.path = folder.path() / "store.db"});
    return store.ok() ? *std::move(store) : nullptr;
  }
  ScratchFolder folder = *ScratchFolder::Create();
};
INSTANTIATE_TYPED_TEST_SUITE_P(Sqlite, ProfileStoreContract,
                               SqliteProfileStoreMaker);

}  // namespace
}  // namespace mete
