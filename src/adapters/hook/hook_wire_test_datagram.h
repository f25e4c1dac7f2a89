// Test datagrams, encoded byte by byte from docs/internals/hook-wire.md and
// independently of the hook's code.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

namespace mete {

inline std::string LittleEndian(uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) {
    text.push_back(static_cast<char>(value >> 8 * i & 0xFF));
  }
  return text;
}

// A record to encode.
struct TestRecord {
  uint64_t kind = 3;
  std::string name = "level";
  double value = 1;
  uint64_t at = 1000;
  std::string later_fields;  // fields that a later version may append
};

inline std::string Encode(const TestRecord& record) {
  std::string body = LittleEndian(record.kind, 1) +
                     LittleEndian(record.name.size(), 1) +
                     LittleEndian(record.at, 8) +
                     LittleEndian(std::bit_cast<uint64_t>(record.value), 8) +
                     record.name + record.later_fields;
  return LittleEndian(body.size() + 2, 2) + body;
}

// A datagram to encode.
struct TestDatagram {
  uint64_t version = 1;
  uint64_t pid = 77;
  uint64_t session = 5;
  uint64_t sequence = 0;
  std::vector<TestRecord> records;
};

inline std::string Encode(const TestDatagram& datagram) {
  std::string records;
  for (const TestRecord& record : datagram.records) records += Encode(record);
  return "METE" + LittleEndian(datagram.version, 1) + LittleEndian(0, 1) +
         LittleEndian(datagram.records.size(), 2) +
         LittleEndian(datagram.pid, 4) + LittleEndian(32 + records.size(), 4) +
         LittleEndian(datagram.session, 8) +
         LittleEndian(datagram.sequence, 8) + records;
}

}  // namespace mete
