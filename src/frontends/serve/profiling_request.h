// Parses the body of POST /api/profiling: the seven counts of a network and, in
// the standalone form, the device to predict for.
#pragma once

#include <optional>
#include <string>

#include "domain/device.h"
#include "predict/question.h"
#include "serve/reply.h"
#include "support/json.h"

namespace mete {

// The device of a standalone request.
struct StandaloneDevice {
  std::string type;  // "" if only device_facts are given
  std::optional<double> load;
  std::optional<DeviceFacts> facts;
};

// A parsed request.
struct ProfilingRequest {
  NetworkQuestion question;
  SortedJson body;  // echoed in the reply
  std::optional<StandaloneDevice> device;
};

// Fails with 400 for invalid JSON, 413 for a body that is too large, 415 for
// other content types and 422 for an invalid field.
OrReply<ProfilingRequest> ReadProfilingRequest(const HttpRequest& request);

// Reads the counts from an object that has them under PEPPER's names, and the
// name of the network ("model", else "name" or "model_name").
OrReply<NetworkQuestion> ReadCounts(const SortedJson& body);

// Returns `body[key]` divided by `whole`: a fraction from a percentage or a
// ratio. Absent if the key is missing.
OrReply<std::optional<double>> ReadShare(const SortedJson& body,
                                         const std::string& key, double whole);

}  // namespace mete
