// Reads whole files, writes files atomically.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "support/result.h"
#include "support/scratch_folder.h"  // IWYU pragma: export
#include "support/units.h"

namespace mete {

// The whole contents. Also works for /proc and /sys, where file sizes are 0.
// Fails with kNotFound, kPermissionDenied, kInvalidInput (a folder).
Result<std::string> ReadFile(const std::filesystem::path& path);

// The same for a path from somebody else. Fails with kInvalidInput for anything
// but a regular file, because a device has no end and a pipe may never have
// one, and for a file of more than `at_most`.
Result<std::string> ReadRegularFile(const std::filesystem::path& path,
                                    Bytes at_most);

// Writes a temporary file next to the target and renames it: readers see the
// old or the new contents, never a part. Follows links. Writes directly into
// devices and pipes.
Status WriteFileAtomically(const std::filesystem::path& path,
                           std::string_view content);
// The same for contents too large for memory: `write` writes into the open
// descriptor and must not keep it.
Status WriteFileAtomically(const std::filesystem::path& path,
                           const std::function<Status(int descriptor)>& write);

// Checks in advance, before hours of work, that a write should succeed.
Status CheckWritable(const std::filesystem::path& path);

// The files in a folder, sorted by name. Fails with the system's error.
Result<std::vector<std::filesystem::path>> FilesIn(
    const std::filesystem::path& folder);

// Creates the folder and its missing parents.
Status MakeFolder(const std::filesystem::path& folder);

// Path of the running program, even after it was replaced on disk.
std::string OwnProgram();

// Writes all of `content` into an open descriptor.
Status WriteAll(int descriptor, std::string_view content);

}  // namespace mete
