// Reads options of `docker run`, so that existing command lines can be reused:
// --docker-arg, `docker:` in a session file, and app_docker_args in WaAP jobs.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "domain/container.h"
#include "support/result.h"

namespace mete {

// The settings and variables that the options set.
struct ContainerOptions {
  ContainerSettings settings;
  std::map<std::string, std::string> environment;
};

// Supported: -v/--volume SOURCE:TARGET[:ro], --mount
// type=bind,source=…,target=…, -e/--env NAME=VALUE, --device NODE[:NODE[:rwm]],
// --runtime, --network/--net, -u/--user, --shm-size; and options that add
// privileges: --privileged, --pid=host, --cap-add, --security-opt. A value is
// the next argument or follows "=". Relative sources are resolved against
// `base`. Accepts and ignores -i, -t and --rm. Fails with kInvalidInput for any
// other option and suggests the nearest one.
Status ReadContainerOptions(const std::vector<std::string>& arguments,
                            const std::filesystem::path& base,
                            ContainerOptions& options);

// Parses "data:/data:ro" and resolves a relative source against `base`.
Result<Mount> ParseMount(const std::string& text,
                         const std::filesystem::path& base);

}  // namespace mete
