// Detects the kind of machine: virtual, a board of a known family, a server, a
// laptop, or another computer.
#pragma once

#include "linux/system_root.h"

namespace mete {

// Kind of machine, as far as it matters for measurements.
enum class MachineKind {
  kComputer,
  kLaptop,
  kServer,
  kVirtual,
  kRaspberryPi,
  kJetson,
};
// "computer", "virtual-machine", "raspberry-pi".
const char* ToString(MachineKind kind);

// Uses the device tree, DMI and traces of hypervisors; needs only read access.
// Checks for virtual machines first, because a guest may see its host's board.
MachineKind ReadMachineKind(const SystemRoot& root);

}  // namespace mete
