// What users write for a service: http://host:port/path?query.
#pragma once

#include <string>
#include <string_view>

#include "net/endpoint.h"
#include "support/result.h"
#include "support/units.h"

namespace mete {

// Where to send requests, and which path and query to ask for.
struct LoadUrl {
  Endpoint endpoint;
  std::string target = "/";
};
// "http://host:port/path?query", or "unix:///run/x.sock" with the target "/".
// Fails with kInvalidInput, and with kUnsupported for https.
Result<LoadUrl> ParseLoadUrl(std::string_view text);

// "200/s", "200", "30/m": requests per second. Fails with kInvalidInput unless
// it is positive.
Result<double> ParseRate(std::string_view text);

}  // namespace mete
