// The files of one of very many cgroups. Keeps descriptors open within a budget
// that all cgroups share, together with one buffer.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "linux/cgroup_files.h"
#include "linux/cgroup_trees.h"
#include "linux/container_groups.h"
#include "linux/descriptor_limit.h"
#include "support/descriptor.h"

namespace mete {

// Resources that the cgroups share. Must outlive them. Not thread-safe.
struct CgroupFilePool {
  // How many files may stay open in total. A file that is kept open is read in
  // a tenth of the time, but costs the kernel 5 kB and the process a
  // descriptor.
  size_t descriptors = AffordableDescriptors();
  // How many files each cgroup may keep open; the first ones that are read
  // stay.
  size_t most_each = 16;
  std::string buffer = std::string(8192, '\0');
};

// The files of one cgroup, opened through a shared pool.
class PooledCgroupFiles final : public CgroupFiles {
 public:
  // `folder` is the path of the cgroup relative to the mount points.
  PooledCgroupFiles(const CgroupTrees& trees, CgroupFilePool& pool,
                    std::string folder, std::vector<GroupElsewhere> elsewhere);
  PooledCgroupFiles(PooledCgroupFiles&&) = default;
  PooledCgroupFiles& operator=(PooledCgroupFiles&&) = delete;
  ~PooledCgroupFiles() override;

  int VersionFor(CgroupPart part) const override;
  // `name` is not copied; it must outlive this object.
  std::optional<std::string_view> Text(CgroupPart part,
                                       std::string_view name) override;

  // The same cgroup with another pool, for example one without descriptors for
  // files that are read rarely.
  PooledCgroupFiles In(CgroupFilePool& pool) const;

  // Looks for missing files again at the next call: controllers can be enabled
  // later, and the first process of a cgroup may arrive later.
  void LookAgain(std::vector<GroupElsewhere> elsewhere);

 private:
  // A file that is kept open, or (closed) one that is known to be missing.
  struct Known {
    std::string_view name;
    Descriptor file;
  };
  Descriptor Open(CgroupPart part, std::string_view name) const;
  bool Fill(const Descriptor& file);
  size_t Kept() const;
  void Remember(std::string_view name, Descriptor file);

  const CgroupTrees* trees_;
  CgroupFilePool* pool_;
  std::string folder_;
  std::vector<GroupElsewhere> elsewhere_;
  std::vector<Known> known_;
  size_t length_ = 0;  // of the text in the buffer
};

}  // namespace mete
