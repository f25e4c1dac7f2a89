// Detects lost datagrams by the sequence number of each sender.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "adapters/hook/hook_wire.h"

namespace mete {

// Tracks the sequence of each sender. The kernel does not lose a datagram of a
// Unix socket that it accepted; this checks that it stays so, and that we did
// not discard any ourselves.
class HookSenders {
 public:
  // More processes than any session starts; the one silent for longest is
  // dropped.
  static constexpr size_t kMostSenders = 4096;

  // Number of records of this sender that are missing before this datagram.
  uint64_t MissingBefore(const HookHeader& header);

 private:
  // State of one sender.
  struct Sender {
    uint64_t expected = 0;  // sequence of its next datagram
    uint64_t heard = 0;     // when, counted in datagrams
  };
  void ForgetOne();

  std::map<std::pair<uint32_t, uint64_t>, Sender> senders_;
  uint64_t datagrams_ = 0;
};

}  // namespace mete
