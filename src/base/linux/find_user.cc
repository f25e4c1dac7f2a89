#include "linux/find_user.h"

#include <grp.h>
#include <pwd.h>

#include <limits>

#include "support/parse_number.h"

namespace mete {
namespace {

std::vector<uint32_t> GroupsOf(const passwd& user) {
  int count = 64;
  std::vector<gid_t> groups(static_cast<size_t>(count));
  if (getgrouplist(user.pw_name, user.pw_gid, groups.data(), &count) < 0) {
    groups.resize(static_cast<size_t>(count));
    getgrouplist(user.pw_name, user.pw_gid, groups.data(), &count);
  }
  groups.resize(static_cast<size_t>(count));
  return {groups.begin(), groups.end()};
}

}  // namespace

Result<ProcessUser> FindUser(const std::string& name_or_id) {
  const passwd* found = getpwnam(name_or_id.c_str());
  const auto id = ParseNumber<uint32_t>(name_or_id);
  // The largest number means "do not change" to the kernel.
  const bool number = id && *id != std::numeric_limits<uint32_t>::max();
  if (found == nullptr && number) found = getpwuid(*id);
  if (found != nullptr) {
    return ProcessUser{.id = found->pw_uid,
                       .group = found->pw_gid,
                       .groups = GroupsOf(*found),
                       .name = found->pw_name,
                       .home = found->pw_dir};
  }
  if (!number) return NotFound("no such user '" + name_or_id + "'");
  return ProcessUser{.id = *id,
                     .group = *id,
                     .groups = {*id},
                     .name = name_or_id,
                     .home = "/"};
}

}  // namespace mete
