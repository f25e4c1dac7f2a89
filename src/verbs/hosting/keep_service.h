// The process that keeps a service: `mete place keep ID`. It starts the
// service under its limits, records its address, and ends it on SIGTERM.
#pragma once

#include <filesystem>
#include <stop_token>
#include <string>

#include "hosting/service_files.h"
#include "linux/system_root.h"
#include "ports/launchers.h"
#include "support/result.h"
#include "support/units.h"

namespace mete {

// What keeping a service needs.
struct KeepServiceDependencies {
  Launchers& launchers;
  SystemRoot root;
  std::string program;           // mete itself, for processes
  std::filesystem::path folder;  // of the records
};

// Of the output of a service. What comes after it is not kept.
inline constexpr Bytes kMostServiceLog = Mebibytes(8);

// How long a service may answer what is queued before it is killed.
inline constexpr std::chrono::seconds kServiceDrain{10};

// Starts the service of the record `id` and keeps it until `stop` is requested,
// then removes the record. Fails when the service cannot be started, or ends by
// itself; the record then stays, and says that it is gone.
Status KeepService(const std::string& id,
                   const KeepServiceDependencies& dependencies,
                   std::stop_token stop);

// The command that serves the order and writes its port to `port_file`.
std::vector<std::string> ServiceCommandLine(
    const ServiceOrder& order, const std::string& program,
    const std::string& network, const std::filesystem::path& port_file);

}  // namespace mete
