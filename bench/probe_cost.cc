// Measures the overhead of sampling: compares the CPU time of a fixed piece of
// work while mete samples it ten times a second with the same work without
// sampling.
//
//   probe_cost
//
// The two alternate, so other load on the machine affects both equally. The
// ratio of the CPU times of a pair is one observation; the result is the median
// over all pairs with its 95 % interval. PASS: that median is at most 1.01, and
// mete uses at most 0.5 % of a core for sampling.
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <vector>

#include "adapters/host/linux_host.h"
#include "adapters/host/linux_machine_probe.h"
#include "adapters/process/process_launcher.h"
#include "measure/run_application.h"
#include "stats/interval.h"
#include "stats/quantile.h"

namespace mete {
namespace {

constexpr double kWorkloadLimit = 1.01;
constexpr double kHostLimit = 0.005;  // of a core
constexpr int kPairs = 12;
constexpr const char* kRounds = "6000000";  // about two seconds

// The baseline: fork, exec, wait.
double BareCpuSeconds() {
  pid_t child = fork();
  CHECK(child >= 0) << "fork";
  if (child == 0) {
    execl(METE_FIXED_WORK, METE_FIXED_WORK, kRounds, nullptr);
    _exit(127);
  }
  int status = 0;
  rusage usage{};
  CHECK(wait4(child, &status, 0, &usage) == child) << "wait";
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "the work failed";
  auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) +
           static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

struct Sampled {
  double cpu_seconds = 0;
  double own_share = 0;  // of a core
};

Sampled SampledCpuSeconds(ProcessLauncher& launcher, LinuxHost& host) {
  SystemClock clock;
  LinuxMachineProbe machine(SystemRoot(), clock);
  PreparedApplication prepared{
      .launch = {.command = {METE_FIXED_WORK, kRounds}}, .launcher = &launcher};
  auto done = RunApplication(
      prepared, {.machine = machine, .host = host, .clock = clock}, {}, {});
  CHECK(done.ok()) << done.error().message();
  const ApplicationDetails& results = *done->run.application();
  return {.cpu_seconds = done->run.cpu_time->count(),
          .own_share = results.sampling.own_cpu / *results.duration};
}

int Main() {
  ProcessLauncher launcher;
  LinuxHost host("/", "/tmp");
  std::vector<double> ratios;
  std::vector<double> shares;
  for (int pair = 0; pair < kPairs; ++pair) {
    double bare = pair % 2 == 0 ? BareCpuSeconds() : 0;
    Sampled sampled = SampledCpuSeconds(launcher, host);
    if (pair % 2 == 1) bare = BareCpuSeconds();
    ratios.push_back(sampled.cpu_seconds / bare);
    shares.push_back(sampled.own_share);
  }
  std::vector<double> sorted = Sorted(ratios);
  double ratio = *QuantileOfSorted(sorted, 0.5);
  auto interval = QuantileInterval(sorted, {});
  double share = *Quantile(shares, 0.5);
  bool pass = ratio <= kWorkloadLimit && share <= kHostLimit;
  fmt::print(
      "sampling at 10 Hz: CPU of the work, sampled / bare {:.4f} ({:.4f} to "
      "{:.4f}, 95 %, limit {}), mete itself {:.2f} % of a core (limit {} %), "
      "{} pairs: {}\n",
      ratio, interval->low, interval->high, kWorkloadLimit, share * 100,
      kHostLimit * 100, kPairs, pass ? "PASS" : "FAIL");
  return pass ? 0 : 1;
}

}  // namespace
}  // namespace mete

int main() { return mete::Main(); }
