#include "cli/require_store.h"

#include <filesystem>
#include <string_view>

namespace mete {

Status RequireStore(const Settings& settings) {
  constexpr std::string_view kScheme = "sqlite:";
  const Setting& store = settings.Get("store");
  bool named = store.origin != Origin::kDefault;
  if (!named || !store.value.starts_with(kScheme)) return {};
  std::string path = store.value.substr(kScheme.size());
  std::error_code error;
  if (std::filesystem::exists(path, error)) return {};
  return NotFound("open store " + path +
                  ": no such file; commands that measure create it");
}

}  // namespace mete
