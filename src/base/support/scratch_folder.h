// Temporary folders that do not outlive the process they belong to.
#pragma once

#include <filesystem>

#include "support/descriptor.h"
#include "support/result.h"

namespace mete {

// A new empty folder, removed with its contents when its owner is destroyed.
// Its process holds a lock on it until then: a folder without a lock was left
// behind by a process that was killed.
class ScratchFolder {
 public:
  // In the temporary folder of the system (TMPDIR), for this user only.
  static Result<ScratchFolder> Create();
  ScratchFolder(ScratchFolder&& other) noexcept;
  ScratchFolder& operator=(ScratchFolder&& other) noexcept;
  ~ScratchFolder();

  const std::filesystem::path& path() const { return path_; }

  // Removes the folders that killed processes of this user have left behind.
  // Never touches links, folders of other users and those of living processes.
  static void RemoveAbandoned();

 private:
  ScratchFolder(std::filesystem::path path, Descriptor lock)
      : path_(std::move(path)), lock_(std::move(lock)) {}
  void Remove();

  std::filesystem::path path_;
  Descriptor lock_;
};

}  // namespace mete
