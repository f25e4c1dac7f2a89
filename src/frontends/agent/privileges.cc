#include "agent/privileges.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <grp.h>
#include <linux/capability.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "support/descriptor.h"
#include "support/file.h"

namespace mete {
namespace {

struct UserIds {
  uid_t user = 0;
  gid_t group = 0;
};

Result<UserIds> FindUser(const std::string& name) {
  const passwd* found = getpwnam(name.c_str());
  if (found == nullptr) return NotFound("no such user '" + name + "'");
  return UserIds{found->pw_uid, found->pw_gid};
}

// Sets exactly these capabilities; 0 drops all.
Status SetCapabilities(uint32_t requested) {
  __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3,
                                  .pid = 0};
  std::array<__user_cap_data_struct, 2> rights{};
  rights[0] = {
      .effective = requested, .permitted = requested, .inheritable = 0};
  if (syscall(SYS_capset, &header, rights.data()) == 0) return {};
  return SystemError("drop capabilities", errno);
}

}  // namespace

Status DropPrivileges(const PrivilegeRequest& request) {
  // Programs executed later cannot gain privileges either.
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (geteuid() != 0) return {};
  ASSIGN_OR_RETURN(UserIds ids, FindUser(request.user));
  if (ids.user == 0) return {};  // staying root was requested
  prctl(PR_SET_KEEPCAPS, request.read_all ? 1 : 0, 0, 0, 0);
  const bool dropped = setgroups(0, nullptr) == 0 &&
                       setresgid(ids.group, ids.group, ids.group) == 0 &&
                       setresuid(ids.user, ids.user, ids.user) == 0;
  if (!dropped) return SystemError("become " + request.user, errno);
  RETURN_IF_ERROR(
      SetCapabilities(request.read_all ? 1u << CAP_DAC_READ_SEARCH : 0u));
  if (setuid(0) == 0) {
    return Unavailable("become " + request.user +
                       ": root privileges could be regained");
  }
  return {};
}

Status MakeFolderFor(const std::string& user,
                     const std::filesystem::path& folder) {
  const std::string act = "create " + folder.string();
  if (folder.has_parent_path())
    RETURN_IF_ERROR(MakeFolder(folder.parent_path()));
  if (mkdir(folder.c_str(), 0755) != 0) {
    return errno == EEXIST ? Status() : SystemError(act, errno);
  }
  if (geteuid() != 0) return {};
  ASSIGN_OR_RETURN(UserIds ids, FindUser(user));
  // Opens the directory itself and not a link that replaced it.
  Descriptor made(
      open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!made.open() || fchown(made.number(), ids.user, ids.group) != 0) {
    return SystemError(act, errno);
  }
  return {};
}

}  // namespace mete
