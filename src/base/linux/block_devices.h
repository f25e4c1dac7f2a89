// Bytes read from and written to disks since boot.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "linux/system_root.h"
#include "linux/watched_file.h"
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

// Reads the counters again and again; what kind of device a name stands for
// takes several files to find out, so that it is remembered. One thread.
class BlockDeviceReader {
 public:
  explicit BlockDeviceReader(const SystemRoot& root)
      : root_(root), counters_(root, "/proc/diskstats") {}

  // From /proc/diskstats, in its order; none when it cannot be read.
  std::vector<BlockDevice> Read();
  // Finds the kinds out anew at the next reading.
  void Forget() { kinds_.clear(); }

 private:
  enum class Kind { kPartition, kStorage, kPassesOn };
  Kind KindOf(std::string_view name);

  SystemRoot root_;
  WatchedFile counters_;
  std::map<std::string, Kind, std::less<>> kinds_;
};

std::vector<BlockDevice> ReadBlockDevices(const SystemRoot& root);

// Which devices store bytes themselves, by the numbers that control groups
// name them with. What is once known stays: a number keeps its kind as long as
// a group has bytes on it. One thread.
class StorageDevices {
 public:
  explicit StorageDevices(const SystemRoot& root) : root_(root) {}

  // A device that nothing is known of counts.
  bool Has(std::string_view number);

 private:
  SystemRoot root_;
  std::map<std::string, bool, std::less<>> known_;  // by "8:0"
};

}  // namespace mete
