// What a container engine answers, from JSON to values. Podman leaves out some
// of what docker tells; a missing part is never an error where mete can do
// without.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "adapters/docker/docker_api.h"
#include "domain/application_figures.h"
#include "support/json_fwd.h"
#include "support/result.h"

namespace mete {

// The error of a response that is not a success, in the engine's words.
Error EngineError(int status, std::string_view body);

Result<EngineFacts> ParseEngineFacts(const Json& version, const Json& info);
Result<ImageDetails> ParseImage(const Json& json);
Result<CreatedContainer> ParseCreated(const Json& json);
Result<ContainerState> ParseState(const Json& json);
std::vector<OwnedContainer> ParseOwned(const Json& json,
                                       const std::string& label);
// Of /stats: for engines whose control groups cannot be seen from here.
ResourceUsage ParseStats(const Json& json);

// "registry:5000/team/app:1" in its parts. The version is a tag ("latest" when
// none is given) or a digest ("sha256:…").
struct ImageReference {
  std::string name;
  std::string version;
};
ImageReference SplitReference(const std::string& reference);
// As part of a path: slashes and colons stay.
std::string EncodeReference(const std::string& reference);

}  // namespace mete
