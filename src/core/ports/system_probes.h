// Port: checks of this machine for which files are not enough. Every call is
// bounded in time and changes nothing.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <variant>

#include "support/result.h"

namespace mete {

// A place to connect to: a Unix socket, or a host and port.
struct TcpAddress {
  std::string host;
  uint16_t port = 0;
};
using ProbeTarget = std::variant<std::filesystem::path, TcpAddress>;

// The beginning of an HTTP response.
struct HttpAnswer {
  int status = 0;
  std::string body;  // at most a few kilobytes
};

// What NVML reports about the driver.
struct NvidiaAnswer {
  std::string driver;  // "535.161.08"
  unsigned devices = 0;
};

// Checks of the machine and of services on it.
class SystemProbes {
 public:
  virtual ~SystemProbes() = default;

  // Actually counts a few instructions of this process. Fails with
  // kPermissionDenied, or kUnsupported where the processor has no counters.
  virtual Status TryPerfCounter() = 0;

  // Queries NVML. Fails with kNotFound when it is not installed, otherwise with
  // the library's error.
  virtual Result<NvidiaAnswer> AskNvidia() = 0;

  // Fail with kPermissionDenied, kTimeout (after at most a second), or
  // kUnavailable (no such socket or host, nothing listens, or not HTTP). The
  // message names the endpoint.
  virtual Status Connect(const ProbeTarget& endpoint) = 0;
  virtual Result<HttpAnswer> HttpGet(const ProbeTarget& endpoint,
                                     const std::string& target) = 0;
};

}  // namespace mete
