// Folders that only their owner may look into.
#pragma once

#include <filesystem>

#include "support/result.h"

namespace mete {

// Creates the folder and those above it where they are missing, each with mode
// 0700. Leaves existing ones as they are. An empty path is the current folder.
Status MakePrivateFolder(const std::filesystem::path& folder);

}  // namespace mete
