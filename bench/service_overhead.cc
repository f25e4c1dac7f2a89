// Measures what `mete service` adds to an inference: one client sends requests
// for a tiny network over one connection, one after another. The rest of the
// time a request takes, beyond queueing and service time as the service reports
// them, is the cost of HTTP, of two threads handing over, and of the client.
#include <fmt/format.h>
#include <sys/socket.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <thread>
#include <vector>

#include "net/http.h"
#include "net/server_timing.h"
#include "support/check.h"
#include "support/file.h"
#include "tests/fakes/raw_caller.h"
#include "tests/integration/mete_program.h"

namespace mete {
namespace {

constexpr int kWarmUp = 500;
constexpr int kRequests = 20'000;

using Clock = std::chrono::steady_clock;

// Sends one request and returns the head of its response.
std::string Exchange(RawCaller& caller, std::string_view request) {
  CHECK(caller.Send(request)) << "the service closed the connection";
  std::string answer;
  char buffer[4096];
  size_t end = std::string::npos, length = 0;
  while (end == std::string::npos || answer.size() < end + length) {
    const ssize_t got = recv(caller.number(), buffer, sizeof buffer, 0);
    CHECK(got > 0) << "the service closed the connection";
    answer.append(buffer, static_cast<size_t>(got));
    if (end != std::string::npos) continue;
    end = answer.find("\r\n\r\n");
    if (end == std::string::npos) continue;
    end += 4;
    const size_t field = answer.find("Content-Length: ");
    CHECK(field < end) << answer;
    length = std::stoul(answer.substr(field + 16));
  }
  return answer;
}

ServerTiming TimingIn(const std::string& answer) {
  constexpr std::string_view kField = "server-timing: ";
  const size_t at = answer.find(kField);
  CHECK(at != std::string::npos) << answer;
  const size_t begin = at + kField.size();
  return ParseServerTiming(
      std::string_view(answer).substr(begin, answer.find('\r', at) - begin));
}

double Quantile(std::vector<double>& values, double share) {
  const auto place =
      static_cast<size_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(),
                   values.begin() + static_cast<ptrdiff_t>(place),
                   values.end());
  return values[place];
}

void Print(const char* name, std::vector<double> seconds) {
  fmt::print("{:<28} median {:7.1f} us   p99 {:7.1f} us\n", name,
             1e6 * Quantile(seconds, 0.5), 1e6 * Quantile(seconds, 0.99));
}

void Run() {
  const ScratchFolder folder = *ScratchFolder::Create();
  const std::filesystem::path port_file = folder.path() / "port";
  MeteProgram program(folder.path() / "store.db",
                      {"service", "mlp", "--listen", "127.0.0.1:0",
                       "--port-file", port_file.string()});
  while (!std::filesystem::exists(port_file))
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  RawCaller caller(Endpoint{
      .host = "127.0.0.1",
      .port = static_cast<uint16_t>(std::stoi(ReadFile(port_file).value()))});
  const std::string request =
      "POST /request-static HTTP/1.1\r\nHost: localhost\r\n\r\n";
  for (int i = 0; i < kWarmUp; ++i) Exchange(caller, request);

  std::vector<double> whole, service, rest;
  const auto begin = Clock::now();
  for (int i = 0; i < kRequests; ++i) {
    const auto sent = Clock::now();
    const std::string answer = Exchange(caller, request);
    const std::chrono::duration<double> took = Clock::now() - sent;
    const ServerTiming timing = TimingIn(answer);
    whole.push_back(took.count());
    service.push_back(timing.service->count());
    rest.push_back(took.count() - timing.service->count() -
                   timing.queue->count());
  }
  const std::chrono::duration<double> all = Clock::now() - begin;
  fmt::print("{} requests for mlp on one connection: {:.0f} per second\n",
             kRequests, kRequests / all.count());
  Print("request, as the client sees", std::move(whole));
  Print("service time", std::move(service));
  Print("HTTP and handing over", std::move(rest));
  CHECK(program.End(SIGTERM) == 0) << "the service failed";
}

}  // namespace
}  // namespace mete

int main() { mete::Run(); }
