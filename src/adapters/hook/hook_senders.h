// Notices datagrams that never arrived, by the sequence each sender keeps.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "adapters/hook/hook_wire.h"

namespace mete {

// The kernel loses no datagram of a Unix socket that it accepted; this is the
// check that it stays so, and that we ourselves threw none away.
class HookSenders {
 public:
  // More processes than any session starts; the one silent for longest goes.
  static constexpr size_t kMostSenders = 4096;

  // How many records of this sender are missing before this datagram.
  uint64_t MissingBefore(const HookHeader& header);

 private:
  struct Sender {
    uint64_t expected = 0;  // sequence of its next datagram
    uint64_t heard = 0;     // when, in datagrams
  };
  void ForgetOne();

  std::map<std::pair<uint32_t, uint64_t>, Sender> senders_;
  uint64_t datagrams_ = 0;
};

}  // namespace mete
