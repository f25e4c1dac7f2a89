#include "wiring/open_stores.h"

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "adapters/sqlite/sqlite_stores.h"

namespace mete {
namespace {

struct StoreAdapter {
  std::string_view scheme;  // prefix of its URLs
  std::string_view form;    // shown in errors
  Result<Stores> (*open)(const std::string& url);
};

// To add a store, add one line here and one to the check of the setting `store`
// (config/settings.cc), which also covers the flag.
constexpr StoreAdapter kStoreAdapters[] = {
    {"sqlite:", "sqlite:PATH", &OpenSqliteStores},
};

}  // namespace

Result<Stores> OpenStores(const std::string& url) {
  std::vector<std::string_view> forms;
  for (const StoreAdapter& adapter : kStoreAdapters) {
    if (url.starts_with(adapter.scheme)) return adapter.open(url);
    forms.push_back(adapter.form);
  }
  return Unsupported(fmt::format("open store '{}': expected {}", url,
                                 fmt::join(forms, " or ")));
}

}  // namespace mete
