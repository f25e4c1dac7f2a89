// Small files read whole, files written whole or not at all, scratch folders.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "support/result.h"

namespace mete {

// The whole content. Works on /proc and /sys too, whose sizes read as 0.
// Fails with kNotFound, kPermissionDenied, kInvalidInput (a folder).
Result<std::string> ReadFile(const std::filesystem::path& path);

// Writes beside the target and renames: readers see the old or the new
// content, never a half. A link is followed; devices and pipes are written
// into.
Status WriteFileAtomically(const std::filesystem::path& path,
                           std::string_view content);
// The same for content too large to hold: `write` puts it into the open
// descriptor, which stays the callee's only until it returns.
Status WriteFileAtomically(const std::filesystem::path& path,
                           const std::function<Status(int descriptor)>& write);

// Whether it can be expected to succeed: asked before hours of work.
Status CheckWritable(const std::filesystem::path& path);

// What lies in a folder, by name. Fails as the system does.
Result<std::vector<std::filesystem::path>> FilesIn(
    const std::filesystem::path& folder);

// With those above it, where they are not there yet.
Status MakeFolder(const std::filesystem::path& folder);

// The file of the running program, also after a newer one took its place.
std::string OwnProgram();

// All of it into an open descriptor.
Status WriteAll(int descriptor, std::string_view content);

// A new empty folder that is removed with everything in it at the end of its
// owner's life.
class ScratchFolder {
 public:
  static Result<ScratchFolder> Create();
  ScratchFolder(ScratchFolder&& other) noexcept;
  ScratchFolder& operator=(ScratchFolder&& other) noexcept;
  ~ScratchFolder();

  const std::filesystem::path& path() const { return path_; }

 private:
  explicit ScratchFolder(std::filesystem::path path) : path_(std::move(path)) {}
  void Remove();

  std::filesystem::path path_;
};

}  // namespace mete
