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
  std::vector<std::filesystem::path> environment_files;  // absolute; not read
  std::string folder;  // working folder; empty: not set
};

// Supported: -v/--volume SOURCE:TARGET[:ro], --mount
// type=bind,source=…,target=…, -e/--env NAME=VALUE, --device NODE[:NODE[:rwm]],
// --runtime, --network/--net, -u/--user, --group-add, --shm-size, --entrypoint,
// -w/--workdir, --env-file, --gpus, --tmpfs, --ulimit, --ipc; and options that
// add privileges: --privileged, --pid=host, --cap-add, --security-opt. A value
// is the next argument or follows "=". Relative sources are resolved against
// `base`. Accepts and ignores -i, -t and --rm. Fails with kInvalidInput for any
// other option and lists those it knows: the nearest name may do something else
// entirely.
Status ReadContainerOptions(const std::vector<std::string>& arguments,
                            const std::filesystem::path& base,
                            ContainerOptions& options);

// Reads the files of --env-file, lines of NAME=VALUE, and adds the variables
// that -e does not set. A later file overrides an earlier one. Fails with the
// line when it is not of this form.
Status ReadEnvironmentFiles(ContainerOptions& options);

// As the options take them: "/run:size=64m", "nofile=1024:2048", "device=0,1".
std::string FormatTemporaryFolder(const TemporaryFolder& folder);
std::string FormatProcessLimit(const ProcessLimit& limit);
std::string FormatGpus(const GpuChoice& gpus);

// Parses "data:/data:ro" and resolves a relative source against `base`.
Result<Mount> ParseMount(const std::string& text,
                         const std::filesystem::path& base);

}  // namespace mete
