// Bytes that went through the network interfaces.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "linux/system_root.h"
#include "linux/watched_file.h"
#include "support/units.h"

namespace mete {

// One network interface, since it came up. A bridge counts again what its
// members count, so sum either the physical ones or a single one.
struct InterfaceBytes {
  std::string name;
  bool physical = false;  // has hardware below it; none has in a container
  Bytes received;
  Bytes sent;
};

// Reads the counters again and again and remembers which names are physical.
// One thread.
class InterfaceReader {
 public:
  explicit InterfaceReader(const SystemRoot& root)
      : root_(root), counters_(root, "/proc/net/dev") {}

  // Without lo.
  std::vector<InterfaceBytes> Read();
  // Finds out anew at the next reading what is physical.
  void Forget() { physical_.clear(); }

 private:
  bool IsPhysical(std::string_view name);

  SystemRoot root_;
  WatchedFile counters_;
  std::map<std::string, bool, std::less<>> physical_;
};

}  // namespace mete
