// Parses the datagrams of mete/hook.h and mete_hook.py, as specified in
// docs/internals/hook-wire.md.
#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>
#include <vector>

#include "domain/app_metrics.h"
#include "support/result.h"

namespace mete {

constexpr int kHookWireVersion = 1;

// The header of a datagram.
struct HookHeader {
  uint32_t pid = 0;       // as seen by the sender: not unique by itself
  uint64_t session = 0;   // with the pid: identifies one connection
  uint64_t sequence = 0;  // records of the session before this one
  uint64_t records = 0;   // in this datagram
};

// The contents of a datagram.
struct HookDatagram {
  HookHeader header;
  std::vector<AppEvent> events;
  // Records the sender dropped, and records with invalid values.
  std::vector<AppLoss> losses;
};

// Parses one datagram that arrived at `arrival` (CLOCK_MONOTONIC); an event in
// the future gets that time. Records of unknown kinds are skipped. Fails with
// kUnsupported for another version, and with kCorrupt when a length is wrong;
// then the whole datagram is discarded.
Result<HookDatagram> ParseHookDatagram(std::string_view bytes,
                                       std::chrono::nanoseconds arrival);

}  // namespace mete
