// Sends 20,000 requests per second from one thread to a service that does
// nothing, and measures how late they are sent, beside wrk on the same service.
// wrk is a closed loop: it shows how many requests the service and the machine
// allow at all. Also prints what the machine itself does to a thread: how late
// it wakes one up, how long it takes the core away from it, and how much of the
// cores other processes used.
//
// `load_rate SECONDS` sets the window. On a machine that others use, `chrt -f
// 10 load_rate 0.8` keeps them away from both threads: a window of less than
// 0.95 s is over before the kernel stops real-time threads to let others run.
#include <fmt/format.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "load/load_summary.h"
#include "load/run_load.h"
#include "net/http_server.h"
#include "stats/quantile.h"
#include "support/check.h"
#include "support/clock.h"

namespace mete {
namespace {

constexpr double kRate = 20'000;
constexpr Seconds kUsualWindow{10};
// In which the kernel forgets what a real-time thread has used.
constexpr std::chrono::milliseconds kPause{1500};
constexpr double kMostLate = 50e-6;  // the 99th percentile
constexpr size_t kConnections = 16;

void PinTo(int core) {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  CPU_SET(core, &cores);
  CHECK(sched_setaffinity(0, sizeof cores, &cores) == 0) << "pin to a core";
}

// A service that answers at once, in a process of its own on the first core.
class NullService {
 public:
  NullService() {
    int ends[2];
    CHECK(pipe(ends) == 0) << "pipe";
    process_ = fork();
    CHECK(process_ >= 0) << "fork";
    if (process_ == 0) Serve(ends[1]);
    close(ends[1]);
    CHECK(read(ends[0], &port_, sizeof port_) == sizeof port_) << "no service";
    close(ends[0]);
  }
  NullService(const NullService&) = delete;
  NullService& operator=(const NullService&) = delete;
  ~NullService() {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }

  uint16_t port() const { return port_; }

 private:
  [[noreturn]] static void Serve(int pipe_end) {
    PinTo(0);
    auto server = HttpServer::Start(
        {.listen = {.host = "127.0.0.1"},
         .threads = 1,
         .quick = [](const HttpRequest&) { return true; }},
        [](const HttpRequest&) {
          return HttpReply{.response = {.status = 200, .body = "ok"}};
        });
    CHECK(server.ok()) << server.error().message();
    uint16_t port = (*server)->endpoint().port;
    CHECK(write(pipe_end, &port, sizeof port) == sizeof port);
    for (;;) pause();
  }

  pid_t process_ = 0;
  uint16_t port_ = 0;
};

// Time that all cores worked, in seconds since the machine started.
double BusySeconds() {
  std::ifstream stat("/proc/stat");
  std::string name;
  double user = 0;
  double nice = 0;
  double system = 0;
  double idle = 0;
  double waiting = 0;
  double interrupts = 0;
  double soft = 0;
  double stolen = 0;
  stat >> name >> user >> nice >> system >> idle >> waiting >> interrupts >>
      soft >> stolen;
  return (user + nice + system + interrupts + soft + stolen) /
         static_cast<double>(sysconf(_SC_CLK_TCK));
}

void PrintQuantiles(const char* what, std::vector<double> values) {
  std::sort(values.begin(), values.end());
  fmt::print("  {}: p50 {}, p99 {}, max {}\n", what,
             FormatSeconds(*QuantileOfSorted(values, 0.5)),
             FormatSeconds(*QuantileOfSorted(values, 0.99)),
             FormatSeconds(values.back()));
}

// What any program on this machine has to live with.
void PrintMachine() {
  SystemClock clock;
  std::vector<double> late;
  for (int i = 0; i < 2000; ++i) {
    auto due = clock.Now() + std::chrono::microseconds(200);
    std::this_thread::sleep_for(std::chrono::microseconds(200));
    late.push_back(Seconds(clock.Now() - due).count());
  }
  PrintQuantiles("a thread that sleeps 200 us wakes up late by", late);
  double longest = 0;
  double lost = 0;
  auto start = clock.Now();
  auto before = start;
  while (before - start < std::chrono::seconds(1)) {
    auto now = clock.Now();
    double gap = Seconds(now - before).count();
    longest = std::max(longest, gap);
    if (gap > 20e-6) lost += gap;
    before = now;
  }
  fmt::print(
      "  a thread that never sleeps loses its core for {:.2g} % of the "
      "time, at most for {}\n",
      100 * lost, FormatSeconds(longest));
}

bool Run(const char* name, const ArrivalSchedule& arrivals, uint16_t port) {
  std::this_thread::sleep_for(kPause);
  SystemClock clock;
  double busy = BusySeconds();
  Seconds cpu = clock.ProcessCpu();
  LoadPlan plan{.targets = {{.name = name,
                             .endpoints = {{.host = "127.0.0.1", .port = port}},
                             .arrivals = arrivals,
                             .connections = kConnections}},
                .drain = Seconds(1)};
  auto samples = RunLoad(
      plan,
      {.clock = clock, .open_channel = [&] { return OpenHttpChannel(clock); }},
      {});
  CHECK(samples.ok()) << samples.error().message();
  double own = (clock.ProcessCpu() - cpu).count();
  double all = BusySeconds() - busy;
  double window = Seconds(arrivals.window).count();
  LoadSummary summary = SummarizeLoad(samples->front());
  bool pass = summary.scheduling->p99.count() < kMostLate;
  fmt::print(
      "{}: {:.0f}/s sent, {:.0f}/s answered, {} failed, {} unanswered\n"
      "  sent late by: p50 {}, p99 {}, max {} (target: p99 under {}) {}\n"
      "  sojourn time: p50 {}, p99 {}\n"
      "  CPUs: mete {:.2f}, the service and all others {:.2f}\n",
      name, summary.offered_rate, summary.achieved_rate, summary.counts.failed,
      summary.counts.unanswered, FormatSeconds(summary.scheduling->p50),
      FormatSeconds(summary.scheduling->p99),
      FormatSeconds(summary.scheduling->max), FormatSeconds(kMostLate),
      pass ? "passed" : "MISSED",
      FormatSeconds(summary.sojourn.At(0.5).value.value_or(Seconds(0))),
      FormatSeconds(summary.sojourn.At(0.99).value.value_or(Seconds(0))),
      own / window, (all - own) / window);
  if (summary.saturation.saturated()) {
    fmt::print("  saturated: {}\n", summary.saturation.explanation);
  }
  return pass;
}

void RunWrk(uint16_t port, Seconds window) {
  std::string command = fmt::format(
      "taskset -c 1 wrk -t1 -c{} -d{:.0f}s --latency http://127.0.0.1:{}/ 2>&1",
      kConnections, std::max(1.0, window.count()), port);
  FILE* pipe = popen(command.c_str(), "r");
  CHECK(pipe != nullptr) << "start wrk";
  std::string text;
  char buffer[4096];
  for (size_t got = 0; (got = fread(buffer, 1, sizeof buffer, pipe)) > 0;) {
    text.append(buffer, got);
  }
  pclose(pipe);
  fmt::print("wrk, closed loop with {} connections:\n", kConnections);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    for (const char* part : {"50%", "99%", "Requests/sec", "not found"}) {
      if (line.find(part) != std::string::npos) fmt::print("  {}\n", line);
    }
  }
}

bool RunAll(Seconds window) {
  NullService service;
  PinTo(1);
  fmt::print("this machine:\n");
  PrintMachine();
  bool constant =
      Run("mete, constant arrivals",
          *ConstantArrivals({.rate = kRate, .window = window}), service.port());
  bool poisson =
      Run("mete, Poisson arrivals",
          *PoissonArrivals({.rate = kRate, .window = window}), service.port());
  RunWrk(service.port(), window);
  return constant && poisson;
}

}  // namespace
}  // namespace mete

int main(int argc, char** argv) {
  const mete::Seconds window(argc > 1 ? std::atof(argv[1])
                                      : mete::kUsualWindow.count());
  CHECK(window.count() > 0) << "usage: load_rate [SECONDS]";
  return mete::RunAll(window) ? 0 : 1;
}
