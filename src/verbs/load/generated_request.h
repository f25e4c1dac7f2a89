// The request with which loads ask `mete service` for an inference.
#pragma once

#include <cstdint>

#include "net/http.h"

namespace mete {

// POST /request-static: one inference of this number of items, on data that the
// service generates.
HttpRequest GeneratedInferenceRequest(uint64_t items = 1);

}  // namespace mete
