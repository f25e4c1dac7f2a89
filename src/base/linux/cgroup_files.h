// The files of one control group, wherever they are read from and however they
// are kept open.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace mete {

// Under version 1 each lies in a hierarchy of its own.
enum class CgroupPart { kMemory, kCpu, kCpuacct, kPids, kBlkio, kPressure };
constexpr size_t kCgroupParts = 6;

class CgroupFiles {
 public:
  virtual ~CgroupFiles() = default;

  // Decides the names and units of the files; 0 when the group has no such
  // part.
  virtual int VersionOf(CgroupPart part) const = 0;

  // The whole text as it is now; absent when it cannot be read. Valid until
  // the next call.
  virtual std::optional<std::string_view> Text(CgroupPart part,
                                               std::string_view name) = 0;
};

}  // namespace mete
