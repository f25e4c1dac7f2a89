// A connection that never waits longer than a deadline, for one short
// question.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "ports/system_probes.h"
#include "support/descriptor.h"
#include "support/result.h"

namespace mete {

using Deadline = std::chrono::steady_clock::time_point;

// One connected socket, closed at the end of its life.
class Socket {
 public:
  // Fails as SystemProbes::Connect does. Looking up a host name counts
  // towards the deadline.
  static Result<Socket> Connect(const ProbeTarget& endpoint, Deadline deadline);

  Status Send(std::string_view bytes, Deadline deadline);
  // Reads until the other side closes, `limit` bytes have come, or the
  // deadline passes with something in hand. Fails with kTimeout when nothing
  // has come at all.
  Result<std::string> Receive(size_t limit, Deadline deadline);

 private:
  explicit Socket(Descriptor descriptor) : descriptor_(std::move(descriptor)) {}
  static Result<Socket> ConnectTo(const void* address, unsigned length,
                                  Deadline deadline);

  Descriptor descriptor_;
};

}  // namespace mete
