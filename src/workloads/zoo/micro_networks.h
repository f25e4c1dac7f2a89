// Small networks that each do one kind of work, to find out how fast an engine
// does it on a device.
#pragma once

#include "domain/network_draft.h"
#include "support/units.h"

namespace mete {

// A network and how much of its kind of work one inference is.
struct MicroNetwork {
  NetworkDraft draft;
  double work = 0;
};

struct MicroNetworks {
  MicroNetwork gemm;         // floating-point operations
  MicroNetwork conv;         // the same
  MicroNetwork depthwise;    // the same
  MicroNetwork elementwise;  // bytes read and written
  MicroNetwork chain;        // nodes
};

// The same for every device but for the element-wise one, which is as large as
// caches ask for and `memory` allows.
MicroNetworks DraftMicroNetworks(Bytes memory);

}  // namespace mete
