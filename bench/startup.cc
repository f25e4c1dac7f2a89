// Measures the cost of starting the program: CPU time and resident memory of
// `mete --version`, which must not load the engine.
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <vector>

extern char** environ;

namespace {

constexpr int kStarts = 100;
constexpr double kCpuLimitSeconds = 0.010;
constexpr double kRssLimitMegabytes = 15;

struct Cost {
  double cpu_seconds = 0;
  double rss_megabytes = 0;
};

double ToSeconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) +
         static_cast<double>(time.tv_usec) * 1e-6;
}

std::optional<Cost> Start(const char* program) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  const char* arguments[] = {program, "--version", nullptr};
  pid_t child = 0;
  int error = posix_spawn(&child, program, &actions, nullptr,
                          const_cast<char**>(arguments), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return std::nullopt;
  int status = 0;
  rusage usage{};
  if (wait4(child, &status, 0, &usage) != child || status != 0) {
    return std::nullopt;
  }
  return Cost{
      .cpu_seconds = ToSeconds(usage.ru_utime) + ToSeconds(usage.ru_stime),
      .rss_megabytes = static_cast<double>(usage.ru_maxrss) * 1024 / 1e6};
}

}  // namespace

int main() {
  std::vector<double> cpu;
  double rss = 0;
  for (int i = 0; i < kStarts; ++i) {
    std::optional<Cost> cost = Start(METE_PROGRAM);
    if (!cost) {
      std::fprintf(stderr, "startup: %s --version failed\n", METE_PROGRAM);
      return 1;
    }
    cpu.push_back(cost->cpu_seconds);
    rss = std::max(rss, cost->rss_megabytes);
  }
  std::sort(cpu.begin(), cpu.end());
  double median = cpu[cpu.size() / 2];
  bool pass = median < kCpuLimitSeconds && rss < kRssLimitMegabytes;
  std::printf(
      "mete --version, %d starts: CPU median %.1f ms, worst %.1f ms (limit "
      "%.0f ms); RSS at most %.1f MB (limit %.0f MB): %s\n",
      kStarts, median * 1e3, cpu.back() * 1e3, kCpuLimitSeconds * 1e3, rss,
      kRssLimitMegabytes, pass ? "PASS" : "FAIL");
  return pass ? 0 : 1;
}
