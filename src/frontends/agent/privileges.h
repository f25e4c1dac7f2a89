// Gives up root's rights once they are not needed any more.
#pragma once

#include <filesystem>
#include <string>

#include "support/result.h"

namespace mete {

struct PrivilegeRequest {
  std::string user;  // whose rights remain
  // Keeps the right to read every file, and no other: names of containers lie
  // where only root may look.
  bool read_all = false;
};

// Before threads start: those that run keep their rights. Does nothing for who
// is not root. Fails with kNotFound for a user that does not exist, and when
// the rights could not be given up.
Status DropPrivileges(const PrivilegeRequest& request);

// Makes a folder that is the user's own; one that is there stays as it is. What
// lies above it is root's, when root makes it.
Status MakeFolderFor(const std::string& user,
                     const std::filesystem::path& folder);

}  // namespace mete
