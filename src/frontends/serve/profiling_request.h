// What POST /api/profiling is sent: the seven counts of a network, and in the
// standalone form the device to predict for.
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
  std::string type;  // "" when only facts are given
  std::optional<double> load;
  std::optional<DeviceFacts> facts;
};

struct ProfilingRequest {
  NetworkQuestion question;
  SortedJson body;  // to be echoed
  std::optional<StandaloneDevice> device;
};

// Refuses with 400 what is no JSON object, with 413 what is too long, with 415
// other types and with 422 a field that is not what it should be.
OrReply<ProfilingRequest> ReadProfilingRequest(const HttpRequest& request);

// The counts of any object that carries them under the predecessor's names,
// and the name of the network ("model", else "name" or "model_name").
OrReply<NetworkQuestion> ReadCounts(const SortedJson& body);

// A share of a whole in percent or as a ratio: `body[key]` over `whole`.
// Absent when there is none.
OrReply<std::optional<double>> ReadShare(const SortedJson& body,
                                         const std::string& key, double whole);

}  // namespace mete
