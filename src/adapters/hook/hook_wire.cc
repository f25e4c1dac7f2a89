#include "adapters/hook/hook_wire.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "support/units.h"

namespace mete {
namespace {

using std::chrono::nanoseconds;

constexpr std::string_view kMagic = "METE";
constexpr size_t kHeaderSize = 32;
constexpr size_t kRecordSize = 20;  // without the name
// Counts are exact up to here.
constexpr double kMostCount = 0x1p53;

enum WireKind { kTimer = 1, kRate = 2, kNumber = 3, kDropped = 4 };

// A little-endian number; the caller has checked the length.
uint64_t Number(std::string_view bytes, size_t offset, size_t size) {
  uint64_t number = 0;
  for (size_t i = 0; i < size; ++i) {
    number |= uint64_t{static_cast<unsigned char>(bytes[offset + i])} << 8 * i;
  }
  return number;
}

struct Record {
  uint64_t kind = 0;
  std::string_view name;
  nanoseconds at{};
  double value = 0;
};

Result<Record> ReadRecord(std::string_view bytes, nanoseconds arrival) {
  if (bytes.size() < kRecordSize) {
    return Corrupt("record of only " + Counted(bytes.size(), "byte"));
  }
  const uint64_t name_size = Number(bytes, 3, 1);
  if (bytes.size() < kRecordSize + name_size) {
    return Corrupt("a name reaches beyond its record");
  }
  const auto latest = static_cast<uint64_t>(arrival.count());
  const uint64_t at = std::min(Number(bytes, 4, 8), latest);
  return Record{.kind = Number(bytes, 2, 1),
                .name = bytes.substr(kRecordSize, name_size),
                .at = nanoseconds(static_cast<int64_t>(at)),
                .value = std::bit_cast<double>(Number(bytes, 12, 8))};
}

bool IsCount(double value) { return value >= 1 && value <= kMostCount; }

bool MakesSense(const Record& record) {
  if (record.kind == kRate) return IsCount(record.value);
  if (record.kind == kTimer && record.value < 0) return false;
  return std::isfinite(record.value);
}

void Sort(const Record& record, HookDatagram& datagram) {
  std::string name(record.name);
  if (record.kind == kDropped) {
    if (!IsCount(record.value)) return;
    datagram.losses.push_back({.name = std::move(name),
                               .events = static_cast<uint64_t>(record.value)});
    return;
  }
  if (record.kind < kTimer || record.kind > kNumber) return;
  if (!MakesSense(record)) {
    datagram.losses.push_back({.name = std::move(name), .events = 1});
    return;
  }
  const AppMetricKind kind = record.kind == kTimer  ? AppMetricKind::kTimer
                             : record.kind == kRate ? AppMetricKind::kRate
                                                    : AppMetricKind::kNumber;
  datagram.events.push_back({.name = std::move(name),
                             .kind = kind,
                             .value = record.value,
                             .at = record.at});
}

Result<HookHeader> ReadHeader(std::string_view bytes) {
  if (bytes.size() < kHeaderSize || !bytes.starts_with(kMagic)) {
    return Corrupt("not a hook datagram");
  }
  if (Number(bytes, 4, 1) != kHookWireVersion) {
    return Unsupported(fmt::format("hook datagram of version {}, expected {}",
                                   Number(bytes, 4, 1), kHookWireVersion));
  }
  if (Number(bytes, 12, 4) != bytes.size()) {
    return Corrupt(fmt::format("hook datagram of {} claims to have {}",
                               Counted(bytes.size(), "byte"),
                               FormatCount(Number(bytes, 12, 4))));
  }
  return HookHeader{.pid = static_cast<uint32_t>(Number(bytes, 8, 4)),
                    .session = Number(bytes, 16, 8),
                    .sequence = Number(bytes, 24, 8),
                    .records = Number(bytes, 6, 2)};
}

}  // namespace

Result<HookDatagram> ParseHookDatagram(std::string_view bytes,
                                       nanoseconds arrival) {
  HookDatagram datagram;
  ASSIGN_OR_RETURN(datagram.header, ReadHeader(bytes));
  bytes.remove_prefix(kHeaderSize);
  for (uint64_t i = 0; i < datagram.header.records; ++i) {
    const uint64_t size = bytes.size() < 2 ? 0 : Number(bytes, 0, 2);
    if (size == 0 || size > bytes.size()) {
      return Corrupt(fmt::format("record {} exceeds its datagram", i));
    }
    ASSIGN_OR_RETURN(Record record, ReadRecord(bytes.substr(0, size), arrival));
    Sort(record, datagram);
    bytes.remove_prefix(size);
  }
  if (!bytes.empty()) return Corrupt("bytes after the last record");
  return datagram;
}

}  // namespace mete
