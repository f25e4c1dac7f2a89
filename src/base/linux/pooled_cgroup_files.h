// The files of one of very many control groups: descriptors are kept open as
// far as a common allowance reaches, and all groups share one buffer.
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

// What the groups share. Outlives them. One thread.
struct CgroupFilePool {
  // A kept file is read in a tenth of the time, but costs the kernel 5 kB and
  // the process one of its descriptors.
  size_t descriptors = AffordableDescriptors();
  // Of one group: where there are many, each keeps what it is asked for first.
  size_t most_each = 16;
  std::string buffer = std::string(8192, '\0');
};

class PooledCgroupFiles final : public CgroupFiles {
 public:
  // `folder` is the group's path below the mount points.
  PooledCgroupFiles(const CgroupTrees& trees, CgroupFilePool& pool,
                    std::string folder, std::vector<GroupElsewhere> elsewhere);
  PooledCgroupFiles(PooledCgroupFiles&&) = default;
  PooledCgroupFiles& operator=(PooledCgroupFiles&&) = delete;
  ~PooledCgroupFiles() override;

  int VersionOf(CgroupPart part) const override;
  // `name` must live as long as the group: it is not copied.
  std::optional<std::string_view> Text(CgroupPart part,
                                       std::string_view name) override;

  // The same group with another pool: one without descriptors for files that
  // are read seldom.
  PooledCgroupFiles In(CgroupFilePool& pool) const;

  // Looks again at the next call for files that were not there: controllers
  // can be switched on later, and a group's first process may come later.
  void LookAgain(std::vector<GroupElsewhere> elsewhere);

 private:
  // A file that is kept open, or (closed) one that is known not to be there.
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
