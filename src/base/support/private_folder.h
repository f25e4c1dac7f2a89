// Folders that only their owner can access.
#pragma once

#include <filesystem>

#include "support/result.h"

namespace mete {

// Creates the folder and its missing parents, each with mode 0700. Does not
// change existing ones. An empty path is the current folder.
Status MakePrivateFolder(const std::filesystem::path& folder);

}  // namespace mete
