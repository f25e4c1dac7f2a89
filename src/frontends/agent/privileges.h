// Drops root privileges once they are no longer needed.
#pragma once

#include <filesystem>
#include <string>

#include "support/result.h"

namespace mete {

// The privileges to keep.
struct PrivilegeRequest {
  std::string user;  // user to switch to
  // Keeps only the capability to read every file: container names are in
  // directories that only root can read.
  bool read_all = false;
};

// Call it before starting threads, because running threads keep their
// privileges. Does nothing unless started as root. Fails with kNotFound if the
// user does not exist, or with another error if the privileges cannot be
// dropped.
Status DropPrivileges(const PrivilegeRequest& request);

// Creates a directory owned by the user. An existing directory is left
// unchanged. Parent directories created by root belong to root.
Status MakeFolderFor(const std::string& user,
                     const std::filesystem::path& folder);

// Says who the process has become and what to do, if a file in the directory
// cannot be created for lack of permission. Returns other errors unchanged.
Error ExplainAs(const std::string& user, const std::filesystem::path& folder,
                const Error& error);

}  // namespace mete
