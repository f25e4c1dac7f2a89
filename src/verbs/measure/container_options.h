// Options of `docker run` that mete knows, for people who have them already:
// --docker-arg, `docker:` of a session file, app_docker_args of the
// predecessor's jobs.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "domain/container.h"
#include "support/result.h"

namespace mete {

// What the options fill.
struct ContainerOptions {
  ContainerSettings settings;
  std::map<std::string, std::string> environment;
};

// -v/--volume SOURCE:TARGET[:ro], --mount type=bind,source=…,target=…,
// -e/--env NAME=VALUE, --device NODE[:NODE[:rwm]], --runtime, --network/--net,
// -u/--user, --shm-size; and those that widen privilege: --privileged,
// --pid=host, --cap-add, --security-opt. Values follow as the next word or
// after "=". Relative sources are below `base`. Fails with kInvalidInput and
// the nearest spelling for anything else; -i, -t and --rm are accepted and
// mean nothing.
Status ReadContainerOptions(const std::vector<std::string>& arguments,
                            const std::filesystem::path& base,
                            ContainerOptions& options);

// "data:/data:ro" with the source made absolute below `base`.
Result<Mount> ParseMount(const std::string& text,
                         const std::filesystem::path& base);

}  // namespace mete
