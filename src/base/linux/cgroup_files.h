// Interface to the files of one cgroup, independent of where they are and
// whether they are kept open.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace mete {

// A group of files in a cgroup. Under cgroup v1 each part has its own
// hierarchy.
enum class CgroupPart { kMemory, kCpu, kCpuacct, kPids, kBlkio, kPressure };
constexpr size_t kCgroupParts = 6;

// Reads the files of one cgroup.
class CgroupFiles {
 public:
  virtual ~CgroupFiles() = default;

  // The cgroup version, which decides file names and units. 0 when the cgroup
  // does not have this part.
  virtual int VersionFor(CgroupPart part) const = 0;

  // The current contents; absent when the file cannot be read. Valid until the
  // next call.
  virtual std::optional<std::string_view> Text(CgroupPart part,
                                               std::string_view name) = 0;
};

}  // namespace mete
