// Measures the cost of a call of mete/hook.h for the application: without
// METE_HOOK_SOCKET, with a socket that does not exist, and with a receiver in
// another process.
//
// Every case runs in its own process, because a process reads the variable only
// once. A block of calls is timed as a whole. Between blocks the queue is
// emptied, because a call that drops its event would be too cheap. PASS: the
// median block is within the limit and no event is lost. Start and stop of a
// timer count as one call. "CPU" is the CPU time of the whole process per
// event, including its sending thread and the flushing between blocks.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "adapters/hook/hook_receiver.h"
#include "mete/hook.h"
#include "stats/quantile.h"
#include "support/clock.h"
#include "support/file.h"

namespace mete {
namespace {

constexpr int kBlocks = 400;
constexpr int kCalls = 500;  // times the threads: fits into the queue
constexpr double kNobodyLimit = 200e-9;
constexpr double kSomebodyLimit = 2e-6;

struct Call {
  const char* name;
  void (*make)(int i);
};
constexpr std::array<Call, 3> kKinds = {
    {{"rate", [](int) { mete_rate("frame"); }},
     {"number", [](int i) { mete_number("queue_length", i); }},
     {"timer", [](int) { mete_timer_stop(mete_timer_start("decode")); }}}};

// Seconds per call, over the blocks of one process.
struct Cost {
  double median = 0;
  double worst = 0;  // block
  double cpu = 0;    // per event, all threads
};

double TimeBlock(const Call& call, int threads) {
  SystemClock clock;
  std::vector<double> seconds(static_cast<size_t>(threads));
  auto work = [&](size_t thread) {
    auto before = clock.Now();
    for (int i = 0; i < kCalls; ++i) call.make(i);
    seconds[thread] = Seconds(clock.Now() - before).count() / kCalls;
  };
  {
    std::vector<std::jthread> others;
    for (int i = 1; i < threads; ++i) others.emplace_back(work, size_t(i));
    work(0);
  }
  return *Quantile(seconds, 0.5);
}

Cost Measure(const Call& call, int threads) {
  SystemClock clock;
  for (int i = 0; i < kCalls; ++i) call.make(i);  // the first call connects
  mete_hook_flush();
  std::vector<double> blocks;
  Seconds before = clock.ProcessCpu();
  for (int block = 0; block < kBlocks; ++block) {
    blocks.push_back(TimeBlock(call, threads));
    mete_hook_flush();
  }
  Seconds cpu = clock.ProcessCpu() - before;
  return {.median = *Quantile(blocks, 0.5),
          .worst = *Quantile(blocks, 1),
          .cpu = cpu.count() / kBlocks / kCalls / threads};
}

// Runs in a child with the given METE_HOOK_SOCKET, or without if it is empty.
Cost MeasureInChild(const std::string& socket,
                    const std::function<Cost()>& measure) {
  std::array<int, 2> ends{};
  CHECK(pipe(ends.data()) == 0) << "pipe";
  pid_t child = fork();
  CHECK(child >= 0) << "fork";
  if (child == 0) {
    unsetenv("METE_HOOK_SOCKET");
    if (!socket.empty()) setenv("METE_HOOK_SOCKET", socket.c_str(), 1);
    Cost cost = measure();
    mete_hook_flush();
    _exit(write(ends[1], &cost, sizeof(cost)) == sizeof(cost) ? 0 : 1);
  }
  Cost cost;
  CHECK(read(ends[0], &cost, sizeof(cost)) == sizeof(cost)) << "no result";
  CHECK(waitpid(child, nullptr, 0) == child) << "waitpid";
  close(ends[0]);
  close(ends[1]);
  return cost;
}

class CountingSink final : public AppEventSink {
 public:
  void Take(const AppEvent&) override { ++events_; }
  void TakeLoss(const AppLoss&) override {}
  uint64_t events() const { return events_; }

 private:
  std::atomic<uint64_t> events_ = 0;
};

bool CompareNobody(const char* why, const std::string& socket) {
  bool all = true;
  for (const Call& call : kKinds) {
    Cost cost = MeasureInChild(socket, [&] { return Measure(call, 1); });
    bool pass = cost.median < kNobodyLimit;
    fmt::print(
        "{}, {}: median {:.1f} ns per call, worst block {:.1f} ns (limit "
        "{:.0f} ns): {}\n",
        call.name, why, cost.median * 1e9, cost.worst * 1e9, kNobodyLimit * 1e9,
        pass ? "PASS" : "FAIL");
    all = all && pass;
  }
  return all;
}

bool CompareSomebody(const std::filesystem::path& folder, int threads) {
  bool all = true;
  for (const Call& call : kKinds) {
    SystemClock clock;
    CountingSink sink;
    auto receiver = HookReceiver::Open({.folder = folder}, sink, clock);
    CHECK(receiver.ok()) << receiver.error().message();
    Cost cost = MeasureInChild((*receiver)->path(),
                               [&] { return Measure(call, threads); });
    (*receiver)->Stop();
    uint64_t made = uint64_t{kCalls} * (1 + uint64_t{kBlocks} * threads);
    bool pass = cost.median < kSomebodyLimit && sink.events() == made;
    fmt::print(
        "{}, {} thread{} and a receiver: median {:.0f} ns per call, worst "
        "block {:.0f} ns (limit {:.0f} ns), CPU {:.0f} ns, {} of {} lost: {}\n",
        call.name, threads, threads == 1 ? "" : "s", cost.median * 1e9,
        cost.worst * 1e9, kSomebodyLimit * 1e9, cost.cpu * 1e9,
        made - sink.events(), made, pass ? "PASS" : "FAIL");
    all = all && pass;
  }
  return all;
}

// The baseline without a thread or a queue: one datagram per event.
void ShowOneDatagramEach(const std::filesystem::path& folder) {
  SystemClock clock;
  CountingSink sink;
  auto receiver = HookReceiver::Open({.folder = folder}, sink, clock);
  CHECK(receiver.ok()) << receiver.error().message();
  static int socket_number = -1;
  const Call call{"send", [](int) {
                    std::array<char, 57> datagram{};
                    send(socket_number, datagram.data(), datagram.size(),
                         MSG_DONTWAIT | MSG_NOSIGNAL);
                  }};
  Cost cost = MeasureInChild("", [&] {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    (*receiver)->path().native().copy(address.sun_path, 107);
    socket_number = socket(AF_UNIX, SOCK_DGRAM, 0);
    CHECK(connect(socket_number, reinterpret_cast<sockaddr*>(&address),
                  sizeof(address)) == 0)
        << "connect";
    return Measure(call, 1);
  });
  (*receiver)->Stop();
  uint64_t made = uint64_t{kCalls} * (1 + kBlocks);
  fmt::print(
      "for comparison, one datagram per event: median {:.0f} ns per call, "
      "worst block {:.0f} ns, CPU {:.0f} ns, {} of {} lost\n",
      cost.median * 1e9, cost.worst * 1e9, cost.cpu * 1e9,
      made - (*receiver)->counts().datagrams, made);
}

// A million events per second, a thousand at the start of every millisecond.
void ShowSustained(const std::filesystem::path& folder) {
  SystemClock clock;
  CountingSink sink;
  auto receiver = HookReceiver::Open({.folder = folder}, sink, clock);
  CHECK(receiver.ok()) << receiver.error().message();
  Cost cost = MeasureInChild((*receiver)->path(), [&] {
    const auto start = clock.Now();
    for (int ms = 0; ms < 1000; ++ms) {
      clock.SleepFor(start + std::chrono::milliseconds(ms) - clock.Now(), {});
      for (int i = 0; i < 1000; ++i) mete_rate("frame");
    }
    return Cost{.cpu = clock.ProcessCpu().count()};
  });
  (*receiver)->Stop();
  fmt::print(
      "a million events per second: {} lost, {:.0f} % of a core in the "
      "application\n",
      1000000 - sink.events(), cost.cpu * 100);
}

// Runs hook_cost.py, which prints and checks its own results.
bool ComparePython(const std::string& socket, const char* why, double limit) {
  return std::system(fmt::format("{} python3 {} '{}' {}",
                                 socket.empty()
                                     ? "env -u METE_HOOK_SOCKET"
                                     : "METE_HOOK_SOCKET='" + socket + "'",
                                 METE_HOOK_COST_PY, why, limit * 1e9)
                         .c_str()) == 0;
}

bool ComparePythons(const std::filesystem::path& folder) {
  if (std::system("python3 -c '' >/dev/null 2>&1") != 0) {
    fmt::print("Python: skipped, python3 is not installed\n");
    return true;
  }
  SystemClock clock;
  CountingSink sink;
  auto receiver = HookReceiver::Open({.folder = folder}, sink, clock);
  CHECK(receiver.ok()) << receiver.error().message();
  bool pass = ComparePython("", "no METE_HOOK_SOCKET", kNobodyLimit);
  pass =
      ComparePython(folder / "nobody", "no such socket", kNobodyLimit) && pass;
  return ComparePython((*receiver)->path(), "a receiver", kSomebodyLimit) &&
         pass;
}

int Main() {
  auto folder = ScratchFolder::Create();
  CHECK(folder.ok()) << folder.error().message();
  bool pass = CompareNobody("no METE_HOOK_SOCKET", "");
  pass = CompareNobody("no such socket", folder->path() / "nobody") && pass;
  pass = CompareSomebody(folder->path(), 1) && pass;
  pass = CompareSomebody(folder->path(), 4) && pass;
  ShowSustained(folder->path());
  ShowOneDatagramEach(folder->path());
  std::fflush(stdout);
  pass = ComparePythons(folder->path()) && pass;
  return pass ? 0 : 1;
}

}  // namespace
}  // namespace mete

int main() { return mete::Main(); }
