#include "adapters/sqlite/resolve_id.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace mete {

Result<std::string> ResolveId(Database& database, const IdSpace& space,
                              const std::string& beginning) {
  constexpr size_t kShown = 5;
  if (beginning.empty()) {
    return InvalidInput(fmt::format("find {}: the id is empty", space.noun));
  }
  // The last code point: everything with this prefix sorts before it.
  ASSIGN_OR_RETURN(
      Statement select,
      database.Prepare(fmt::format(
          "SELECT id FROM {} WHERE id >= ?1 AND id < ?1 || char(1114111) ORDER "
          "BY id LIMIT ?2",
          space.table)));
  select.Bind(beginning).Bind(static_cast<int64_t>(kShown + 1));
  std::vector<std::string> ids;
  while (true) {
    ASSIGN_OR_RETURN(bool row, select.Step());
    if (!row) break;
    ids.emplace_back(select.Text(0));
  }
  if (ids.empty()) {
    return space.unknown(beginning);
  }
  if (ids.size() == 1 || ids[0] == beginning) return ids[0];
  const bool more = ids.size() > kShown;
  if (more) ids.resize(kShown);
  return InvalidInput(fmt::format("several {}s begin with '{}': {}{}",
                                  space.noun, beginning, fmt::join(ids, ", "),
                                  more ? ", …" : ""));
}

}  // namespace mete
