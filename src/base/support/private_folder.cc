#include "support/private_folder.h"

#include <sys/stat.h>

#include <cerrno>

namespace mete {

Status MakePrivateFolder(const std::filesystem::path& folder) {
  if (folder.empty() || folder == folder.root_path()) return {};
  if (mkdir(folder.c_str(), 0700) == 0 || errno == EEXIST) return {};
  if (errno != ENOENT) {
    return SystemError("create folder " + folder.string(), errno);
  }
  RETURN_IF_ERROR(MakePrivateFolder(folder.parent_path()));
  if (mkdir(folder.c_str(), 0700) == 0 || errno == EEXIST) return {};
  return SystemError("create folder " + folder.string(), errno);
}

}  // namespace mete
