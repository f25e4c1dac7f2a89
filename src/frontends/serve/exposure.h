// Whether the server may start where other machines can reach it.
#pragma once

#include "net/endpoint.h"
#include "support/result.h"

namespace mete {

// Where the server listens, and what the operator chose to require of clients.
struct Exposure {
  Endpoint listen;
  bool token_file = false;    // a token of the operator, not a generated one
  bool certificates = false;  // clients need a verified certificate
  bool insecure = false;      // the operator accepts that neither is required
};

// Fails with kInvalidInput and what to do if other machines can reach the
// server and the operator has chosen nothing.
Status CheckExposure(const Exposure& exposure);

}  // namespace mete
