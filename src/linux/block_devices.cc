#include "linux/block_devices.h"

#include <algorithm>

#include "linux/numbers.h"

namespace mete {
namespace {

using std::filesystem::path;

// /sys/block writes "cciss/c0d0" as "cciss!c0d0".
path FolderOf(std::string name) {
  std::replace(name.begin(), name.end(), '/', '!');
  return path("/sys/block") / name;
}

bool IsStorage(const SystemRoot& root, const std::string& name) {
  for (const char* virtual_kind : {"loop", "ram", "zram"}) {
    if (NumberAfter(name, virtual_kind)) return false;
  }
  return root.Names(FolderOf(name) / "slaves").empty();
}

}  // namespace

// Documentation/admin-guide/iostats.rst: major minor name, then reads done,
// reads merged, sectors read, ms reading, writes done, writes merged, sectors
// written, …
std::vector<BlockDevice> ReadBlockDevices(const SystemRoot& root) {
  constexpr uint64_t kSector = 512;  // whatever the device's own size
  std::vector<BlockDevice> devices;
  auto text = root.Text("/proc/diskstats");
  if (!text.ok()) return devices;
  for (const std::string& line : LinesOf(*text)) {
    const std::vector<std::string_view> words = WordsOf(line);
    if (words.size() < 10) continue;
    const std::string name(words[2]);
    auto read = WholeNumber(words[5]);
    auto written = WholeNumber(words[9]);
    // Partitions have no folder of their own in /sys/block.
    if (!read || !written || !root.Exists(FolderOf(name))) continue;
    devices.push_back(
        {.number = std::string(words[0]) + ":" + std::string(words[1]),
         .name = name,
         .storage = IsStorage(root, name),
         .read = Bytes{*read * kSector},
         .written = Bytes{*written * kSector}});
  }
  return devices;
}

}  // namespace mete
