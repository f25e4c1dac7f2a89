#include "adapters/host/host_probes.h"

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "net/http_client.h"
#include "support/descriptor.h"

namespace mete {
namespace {

constexpr size_t kBodyLimit = 4096;

Endpoint ToEndpoint(const ProbeTarget& target) {
  if (const auto* socket = std::get_if<std::filesystem::path>(&target)) {
    return {.socket = socket->native()};
  }
  const auto& address = std::get<TcpAddress>(target);
  return {.host = address.host, .port = address.port};
}

HttpPatience Within(std::chrono::milliseconds patience) {
  return {.silence = std::nullopt, .whole = patience};
}

}  // namespace

Status HostProbes::TryPerfCounter() {
  perf_event_attr attributes{};
  attributes.type = PERF_TYPE_HARDWARE;
  attributes.size = sizeof(attributes);
  attributes.config = PERF_COUNT_HW_INSTRUCTIONS;
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  long counter = syscall(SYS_perf_event_open, &attributes, 0, -1, -1,
                         PERF_FLAG_FD_CLOEXEC);
  if (counter < 0 && (errno == ENOENT || errno == EOPNOTSUPP ||
                      errno == ENODEV || errno == ENOSYS)) {
    return Unsupported(
        "perf_event_open: this processor or virtual machine "
        "has no hardware counters");
  }
  if (counter < 0) return SystemError("perf_event_open", errno);
  Descriptor descriptor(static_cast<int>(counter));
  uint64_t instructions = 0;
  ssize_t got = read(descriptor.number(), &instructions, sizeof(instructions));
  if (got != sizeof(instructions) || instructions == 0) {
    return Unsupported("the hardware counter does not count");
  }
  return {};
}

Status HostProbes::Connect(const ProbeTarget& endpoint) {
  return HttpClient(ToEndpoint(endpoint)).Connect(Within(patience_));
}

Result<HttpAnswer> HostProbes::HttpGet(const ProbeTarget& endpoint,
                                       const std::string& target) {
  std::string body;
  auto response = HttpClient(ToEndpoint(endpoint))
                      .Stream(
                          {.target = target},
                          [&](std::string_view piece) {
                            body += piece.substr(0, kBodyLimit - body.size());
                            return body.size() < kBodyLimit;
                          },
                          Within(patience_));
  if (response.ok()) {
    // The client keeps the body of an unsuccessful answer in the response.
    if (!response->ok()) body = response->body.substr(0, kBodyLimit);
    return HttpAnswer{.status = response->status, .body = std::move(body)};
  }
  if (response.error().code() == ErrorCode::kCorrupt) {  // no HTTP
    return Unavailable(response.error().message());
  }
  return response.error();
}

}  // namespace mete
