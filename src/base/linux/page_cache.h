// How much of a file the kernel holds in its page cache, and how to evict it.
#pragma once

#include <filesystem>
#include <optional>

#include "support/units.h"

namespace mete {

// Bytes of the file that are in the page cache now, in whole pages. Absent when
// the file cannot be read, is not a regular file, or belongs to another user
// (the kernel then does not tell).
std::optional<Bytes> ReadCachedBytes(const std::filesystem::path& file);

// Writes the file's pages to storage and drops them from the page cache. Pages
// that a running program has mapped stay. Does nothing if the file cannot be
// opened.
void EvictFromCache(const std::filesystem::path& file);

}  // namespace mete
