// Parses the JSON responses of a container engine. Podman omits some fields
// that Docker has; a missing field is an error only where mete needs it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "adapters/docker/docker_api.h"
#include "domain/application_details.h"
#include "support/json_fwd.h"
#include "support/result.h"

namespace mete {

// The error of an unsuccessful response, with the engine's message.
Error EngineError(int status, std::string_view body);

Result<EngineFacts> ParseEngineFacts(const Json& version, const Json& info);
Result<ImageDetails> ParseImage(const Json& json);
Result<CreatedContainer> ParseCreated(const Json& json);
Result<ContainerState> ParseState(const Json& json);
std::vector<OwnedContainer> ParseOwned(const Json& json,
                                       const std::string& label);
// From /stats, for engines whose cgroups are not visible from here.
ResourceUsage ParseStats(const Json& json);

// The parts of "registry:5000/team/app:1". The version is a tag ("latest" by
// default) or a digest ("sha256:…").
struct ImageReference {
  std::string name;
  std::string version;
};
ImageReference SplitReference(const std::string& reference);
// Encoded for a URL path; slashes and colons stay.
std::string EncodeReference(const std::string& reference);

}  // namespace mete
