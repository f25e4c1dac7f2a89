#include "adapters/host/host_probes.h"

#include <fmt/format.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>

#include "adapters/host/probe_socket.h"
#include "support/descriptor.h"

namespace mete {
namespace {

constexpr size_t kAnswerLimit = 4096;

Deadline After(std::chrono::milliseconds patience) {
  return std::chrono::steady_clock::now() + patience;
}

// "HTTP/1.1 200 OK\r\n…\r\n\r\nbody".
Result<HttpAnswer> ParseAnswer(const std::string& text) {
  HttpAnswer answer;
  if (text.compare(0, 7, "HTTP/1.") != 0 || text.size() < 12) {
    return Unavailable("the answer is not HTTP");
  }
  auto [rest, error] =
      std::from_chars(text.data() + 9, text.data() + 12, answer.status);
  if (error != std::errc()) return Unavailable("the answer is not HTTP");
  size_t body = text.find("\r\n\r\n");
  if (body != std::string::npos) answer.body = text.substr(body + 4);
  return answer;
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
  auto socket = Socket::Connect(endpoint, After(patience_));
  if (!socket.ok()) return socket.error();
  return {};
}

Result<HttpAnswer> HostProbes::HttpGet(const ProbeTarget& endpoint,
                                       const std::string& target) {
  const Deadline deadline = After(patience_);
  ASSIGN_OR_RETURN(Socket socket, Socket::Connect(endpoint, deadline));
  std::string host = "localhost";
  if (const auto* address = std::get_if<TcpAddress>(&endpoint)) {
    host = fmt::format("{}:{}", address->host, address->port);
  }
  RETURN_IF_ERROR(socket.Send(
      fmt::format("GET {} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n",
                  target, host),
      deadline));
  ASSIGN_OR_RETURN(std::string text, socket.Receive(kAnswerLimit, deadline));
  return ParseAnswer(text);
}

}  // namespace mete
