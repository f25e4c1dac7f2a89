#include "adapters/sqlite/sqlite_stores.h"

#include <fmt/format.h>

#include <string_view>

#include "adapters/sqlite/sqlite_job_store.h"
#include "adapters/sqlite/sqlite_profile_store.h"
#include "adapters/sqlite/sqlite_run_store.h"
#include "adapters/sqlite/sqlite_sweep_store.h"

namespace mete {
namespace {

constexpr std::string_view kSqliteScheme = "sqlite:";

// Opens a `Store` and returns it as the port it implements.
template <typename Port, typename Store>
std::function<Result<std::unique_ptr<Port>>()> OpenerFor(
    const SqliteStoreRequest& request) {
  return [request]() -> Result<std::unique_ptr<Port>> {
    ASSIGN_OR_RETURN(std::unique_ptr<Port> store, Store::Open(request));
    return store;
  };
}

}  // namespace

Result<Stores> OpenSqliteStores(const std::string& url) {
  if (!url.starts_with(kSqliteScheme) || url.size() == kSqliteScheme.size()) {
    return InvalidInput(fmt::format(
        "'{}' is not a SQLite store; write it like sqlite:/path/mete.db", url));
  }
  const SqliteStoreRequest request{.path = url.substr(kSqliteScheme.size())};
  return Stores{
      .open_runs = OpenerFor<RunStore, SqliteRunStore>(request),
      .open_jobs = OpenerFor<JobStore, SqliteJobStore>(request),
      .open_sweeps = OpenerFor<SweepStore, SqliteSweepStore>(request),
      .open_profiles = OpenerFor<ProfileStore, SqliteProfileStore>(request)};
}

}  // namespace mete
