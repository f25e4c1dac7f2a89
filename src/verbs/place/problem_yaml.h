// apps.yaml and servers.yaml: what to place, and where.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "place/placement_problem.h"
#include "support/result.h"

namespace mete {

// Fail with kInvalidInput and file, line and reason: unknown keys, a missing
// name, negative numbers, two applications of the same name.
Result<std::vector<AppDemand>> ParseApps(const std::string& text,
                                         const std::string& file);
Result<std::vector<ServerType>> ParseServers(const std::string& text,
                                             const std::string& file);
// The same for files. Paths of networks and cost tables in them are relative to
// their folder.
Result<std::vector<AppDemand>> ReadApps(const std::filesystem::path& file);
Result<std::vector<ServerType>> ReadServers(const std::filesystem::path& file);

// The files; the parsers are their inverse.
std::string AppsYaml(const std::vector<AppDemand>& apps);
std::string ServersYaml(const std::vector<ServerType>& servers);

// Fails with kInvalidInput if a pin names no server, `apart` no application, or
// if there are too many servers or instances.
Status CheckProblem(const PlacementProblem& problem);

// "p95=500ms", or with the time: "sojourn p95=500ms".
Result<LatencySlo> ParseLatencySlo(const std::string& text);
std::string FormatLatencySlo(const LatencySlo& slo);

}  // namespace mete
