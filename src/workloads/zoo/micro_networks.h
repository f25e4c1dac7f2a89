// Small networks that each do one kind of work, to measure how fast an engine
// does it on a device.
#pragma once

#include "domain/network_draft.h"
#include "support/units.h"

namespace mete {

// A network and the amount of work in one inference.
struct MicroNetwork {
  NetworkDraft draft;
  double work = 0;
};

// One network per kind of work, with the unit of its work.
struct MicroNetworks {
  MicroNetwork gemm;         // floating-point operations
  MicroNetwork conv;         // the same
  MicroNetwork depthwise;    // the same
  MicroNetwork elementwise;  // bytes read and written
  MicroNetwork chain;        // nodes
};

// The same for every device, except the element-wise one, which is larger than
// caches as far as `memory` allows.
MicroNetworks DraftMicroNetworks(Bytes memory);

}  // namespace mete
