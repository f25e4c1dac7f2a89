// Reads files that decide what mete ends or removes.
#pragma once

#include <filesystem>
#include <string>

#include "support/result.h"
#include "support/units.h"

namespace mete {

// Like ReadRegularFile, but does not follow a link, and fails with
// kPermissionDenied for a file of another user: with that user's folders, root
// would do what they say.
Result<std::string> ReadOwnFile(const std::filesystem::path& path,
                                Bytes at_most);

}  // namespace mete
