#include "linux/block_devices.h"

#include <algorithm>
#include <array>

#include "linux/numbers.h"
#include "linux/scan.h"

namespace mete {
namespace {

using std::filesystem::path;

// /sys/block writes "cciss/c0d0" as "cciss!c0d0".
path FolderFor(std::string name) {
  std::replace(name.begin(), name.end(), '/', '!');
  return path("/sys/block") / name;
}

bool IsStorage(const SystemRoot& root, const std::string& name) {
  for (const char* virtual_kind : {"loop", "ram", "zram"}) {
    if (NumberAfter(name, virtual_kind)) return false;
  }
  return root.Names(FolderFor(name) / "slaves").empty();
}

}  // namespace

BlockDeviceReader::Kind BlockDeviceReader::FindKind(std::string_view name) {
  auto known = kinds_.find(name);
  if (known != kinds_.end()) return known->second;
  const std::string own(name);
  Kind kind = Kind::kPartition;  // not listed in /sys/block
  if (root_.Exists(FolderFor(own))) {
    kind = IsStorage(root_, own) ? Kind::kStorage : Kind::kPassesOn;
  }
  return kinds_.emplace(own, kind).first->second;
}

// Documentation/admin-guide/iostats.rst: major minor name, then reads done,
// reads merged, sectors read, ms reading, writes done, writes merged, sectors
// written, …
std::vector<BlockDevice> BlockDeviceReader::Read() {
  // always, whatever the device's own sector size
  constexpr uint64_t kSector = 512;
  std::vector<BlockDevice> devices;
  std::string_view text = counters_.TextOrNone();
  while (auto line = TakeLine(text)) {
    std::array<std::string_view, 10> words;
    if (FirstWords(*line, words) < words.size()) continue;
    auto read = WholeNumber(words[5]);
    auto written = WholeNumber(words[9]);
    const Kind kind = FindKind(words[2]);
    if (!read || !written || kind == Kind::kPartition) continue;
    devices.push_back(
        {.number = std::string(words[0]) + ":" + std::string(words[1]),
         .name = std::string(words[2]),
         .storage = kind == Kind::kStorage,
         .read = Bytes{*read * kSector},
         .written = Bytes{*written * kSector}});
  }
  return devices;
}

std::vector<BlockDevice> ReadBlockDevices(const SystemRoot& root) {
  return BlockDeviceReader(root).Read();
}

bool StorageDevices::Has(std::string_view number) {
  auto known = known_.find(number);
  if (known != known_.end()) return known->second;
  const std::vector<BlockDevice> devices = ReadBlockDevices(root_);
  const bool storage =
      std::ranges::none_of(devices, [&](const BlockDevice& device) {
        return device.number == number && !device.storage;
      });
  known_.emplace(number, storage);
  return storage;
}

}  // namespace mete
