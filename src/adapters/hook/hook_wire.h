// The datagrams of mete/hook.h and mete_hook.py, as specified in
// docs/internals/hook-wire.md: bytes in, events out.
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
  uint32_t pid = 0;       // as the sender sees itself: not unique by itself
  uint64_t session = 0;   // with the pid: one connection of one process
  uint64_t sequence = 0;  // records of the session before this datagram
  uint64_t records = 0;   // in this datagram
};

struct HookDatagram {
  HookHeader header;
  std::vector<AppEvent> events;
  // What the sender says it dropped, and records whose value makes no sense.
  std::vector<AppLoss> losses;
};

// Reads one datagram that arrived at `arrival` (CLOCK_MONOTONIC); an event
// from the future is one of now. Records of unknown kinds are passed over.
// Fails with kUnsupported when the version is another, and with kCorrupt when
// a length does not fit; then nothing of it is used.
Result<HookDatagram> ParseHookDatagram(std::string_view bytes,
                                       std::chrono::nanoseconds arrival);

}  // namespace mete
