#include "agent/privileges.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <grp.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "linux/find_user.h"
#include "support/descriptor.h"
#include "support/file.h"

namespace mete {
namespace {

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
  ASSIGN_OR_RETURN(ProcessUser ids, FindUser(request.user));
  if (ids.id == 0) return {};  // staying root was requested
  prctl(PR_SET_KEEPCAPS, request.read_all ? 1 : 0, 0, 0, 0);
  const bool dropped = setgroups(0, nullptr) == 0 &&
                       setresgid(ids.group, ids.group, ids.group) == 0 &&
                       setresuid(ids.id, ids.id, ids.id) == 0;
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
  ASSIGN_OR_RETURN(ProcessUser ids, FindUser(user));
  // Opens the directory itself and not a link that replaced it.
  Descriptor made(
      open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!made.open() || fchown(made.number(), ids.id, ids.group) != 0) {
    return SystemError(act, errno);
  }
  return {};
}

Error ExplainAs(const std::string& user, const std::filesystem::path& folder,
                const Error& error) {
  if (error.code() != ErrorCode::kPermissionDenied) return error;
  return Error(
      error.code(),
      fmt::format("{}; the agent has become '{}' (--user), who cannot create "
                  "files in {}: run 'chown {} {}', or choose another "
                  "--hook-folder",
                  error.message(), user, folder.string(), user,
                  folder.string()));
}

}  // namespace mete
