// Bytes sent and received by the network interfaces.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "linux/system_root.h"
#include "linux/watched_file.h"
#include "support/units.h"

namespace mete {

// Traffic of one interface since it came up. A bridge counts the traffic of its
// members again, so sum the physical interfaces or use a single one.
struct InterfaceBytes {
  std::string name;
  bool physical = false;  // has hardware; always false in a container
  Bytes received;
  Bytes sent;
};

// Bytes received and sent.
struct NetworkTraffic {
  Bytes received;
  Bytes sent;
};
// Traffic of the network namespace of `pid`, without lo, since it was created.
// Absent when the process shares the network of mete, whose traffic belongs to
// every process, or has ended.
std::optional<NetworkTraffic> ReadOwnTraffic(const SystemRoot& root, int pid);

// Reads the counters repeatedly and remembers which interfaces are physical.
// Not thread-safe.
class InterfaceReader {
 public:
  explicit InterfaceReader(const SystemRoot& root)
      : root_(root), counters_(root, "/proc/net/dev") {}

  // All interfaces except lo.
  std::vector<InterfaceBytes> Read();
  // Clears the cache of which interfaces are physical.
  void Forget() { physical_.clear(); }

 private:
  bool IsPhysical(std::string_view name);

  SystemRoot root_;
  WatchedFile counters_;
  std::map<std::string, bool, std::less<>> physical_;
};

}  // namespace mete
