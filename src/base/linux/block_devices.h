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

// A whole block device. The bytes of its partitions are included.
struct BlockDevice {
  std::string number;  // "8:0", as in the files of cgroups
  std::string name;    // "sda"
  // True if the device stores the bytes itself. False for devices that pass
  // them on to another device, where they would be counted twice (LVM, RAID,
  // loop), and for devices that keep them in memory (ram, zram).
  bool storage = false;
  Bytes read;
  Bytes written;
};

// Reads the disk counters repeatedly. Caches what kind of device each name is,
// because finding that out takes several file reads. Not thread-safe.
class BlockDeviceReader {
 public:
  explicit BlockDeviceReader(const SystemRoot& root)
      : root_(root), counters_(root, "/proc/diskstats") {}

  // In the order of /proc/diskstats; empty when that cannot be read.
  std::vector<BlockDevice> Read();
  // Clears the cache of device kinds, for example after devices were added.
  void Forget() { kinds_.clear(); }

 private:
  enum class Kind { kPartition, kStorage, kPassesOn };
  Kind FindKind(std::string_view name);

  SystemRoot root_;
  WatchedFile counters_;
  std::map<std::string, Kind, std::less<>> kinds_;
};

// Reads the counters once.
std::vector<BlockDevice> ReadBlockDevices(const SystemRoot& root);

// Decides which devices store bytes themselves, by device number ("8:0") as in
// the files of cgroups. Answers are cached for good: a number keeps its meaning
// as long as a cgroup has bytes on it. Not thread-safe.
class StorageDevices {
 public:
  explicit StorageDevices(const SystemRoot& root) : root_(root) {}

  // Unknown devices count as storage.
  bool Has(std::string_view number);

 private:
  SystemRoot root_;
  std::map<std::string, bool, std::less<>> known_;  // by "8:0"
};

}  // namespace mete
