// What kind of machine this is: a virtual one, a board of a known family, a
// server, a laptop, or any computer.
#pragma once

#include "linux/system_root.h"

namespace mete {

enum class MachineKind {
  kComputer,
  kLaptop,
  kServer,
  kVirtual,
  kRaspberryPi,
  kJetson,
};
// "computer", "virtual-machine", "raspberry-pi".
const char* NameOf(MachineKind kind);

// From the device tree, DMI and what hypervisors show of themselves; no right
// but reading is needed. Virtual comes first: a guest sees its host's board.
MachineKind ReadMachineKind(const SystemRoot& root);

}  // namespace mete
