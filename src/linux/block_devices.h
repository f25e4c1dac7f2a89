// Bytes read from and written to disks since boot.
#pragma once

#include <string>
#include <vector>

#include "linux/system_root.h"
#include "support/units.h"

namespace mete {

// A whole device; partitions are part of theirs.
struct BlockDevice {
  std::string number;  // "8:0", as control groups name it
  std::string name;    // "sda"
  // It stores the bytes itself. False for those that pass them on to another
  // device, where they are counted again (LVM, RAID, loop), and for those that
  // keep them in memory (ram, zram).
  bool storage = false;
  Bytes read;
  Bytes written;
};

// From /proc/diskstats, in its order; none when it cannot be read.
std::vector<BlockDevice> ReadBlockDevices(const SystemRoot& root);

}  // namespace mete
