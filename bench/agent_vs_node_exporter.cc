// Compares the resource use of mete-agent with that of
// prometheus-node-exporter.
//
//   agent_vs_node_exporter
//
// 1. Scrapes: CPU time of each exporter for a block of scrapes. The blocks
//    alternate, and node exporter runs only the collectors of the same host
//    facts. The ratio of a pair of blocks is one observation; the result is
//    the median with its 95 % interval. PASS: at most 1/3 of the CPU time and
//    1/2 of the memory.
// 2. Containers: cgroups named and placed as those of Docker, scraped once a
//    second: 100 without processes, 100 with a process each that wakes up ten
//    times a second, and 2,000 of which every twentieth has such a process.
//    PASS: 100 containers take at most 0.5 % of a core and 16 MB. Requires
//    root.
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <memory>
#include <thread>
#include <vector>

#include "linux/cgroup_paths.h"
#include "net/http_client.h"
#include "stats/interval.h"
#include "stats/quantile.h"
#include "support/file.h"
#include "tests/integration/daemon.h"
#include "tests/integration/until.h"

namespace mete {
namespace {

constexpr const char* kNodeExporter = "/usr/bin/prometheus-node-exporter";
constexpr double kCpuLimit = 1.0 / 3;
constexpr double kMemoryLimit = 0.5;
constexpr double kShareLimit = 0.005;  // of a core, 100 containers
constexpr double kMegabytesLimit = 16;
constexpr int kBlocks = 15;
constexpr int kScrapesInBlock = 20;
constexpr std::chrono::seconds kWatch{30};

// A running exporter and its resource use so far.
class Exporter {
 public:
  Exporter(std::vector<std::string> words, uint16_t port,
           const std::filesystem::path& folder)
      : daemon_(words, folder / "exporter.log"), port_(port) {
    CHECK(Until([this] { return Scrape() > 0; }))
        << words[0] << " does not respond";
  }

  // Returns the size of the page; 0 if there was none.
  size_t Scrape() const {
    auto page = HttpClient({.host = "127.0.0.1", .port = port_})
                    .Send({.target = "/metrics"});
    return page.ok() && page->status == 200 ? page->body.size() : 0;
  }
  double CpuSeconds() const {
    clockid_t clock{};
    CHECK(clock_getcpuclockid(daemon_.process(), &clock) == 0) << "its clock";
    timespec used{};
    CHECK(clock_gettime(clock, &used) == 0) << "its clock";
    return static_cast<double>(used.tv_sec) +
           static_cast<double>(used.tv_nsec) * 1e-9;
  }
  double Megabytes() const {
    auto text = ReadFile(fmt::format("/proc/{}/statm", daemon_.process()));
    CHECK(text.ok()) << text.error().message();
    unsigned long all = 0;
    unsigned long resident = 0;
    CHECK(std::sscanf(text->c_str(), "%lu %lu", &all, &resident) == 2);
    return static_cast<double>(resident) *
           static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
  }
  double CpuOfBlock() const {
    const double before = CpuSeconds();
    for (int i = 0; i < kScrapesInBlock; ++i) Scrape();
    return CpuSeconds() - before;
  }

 private:
  Daemon daemon_;
  uint16_t port_;
};

std::unique_ptr<Exporter> StartAgent(const std::filesystem::path& folder) {
  const uint16_t port = FreePort();
  return std::make_unique<Exporter>(
      std::vector<std::string>{METE_AGENT, "--listen", Here(port), "--max-age",
                               "0ms", "--no-measure", "--state",
                               folder.string(), "--hook-folder",
                               (folder / "hooks").string(), "--user", "root"},
      port, folder);
}

// Processor, memory, disks, file systems, network, temperature, pressure, load.
std::unique_ptr<Exporter> StartNodeExporter(
    const std::filesystem::path& folder) {
  const uint16_t port = FreePort();
  std::vector<std::string> words{kNodeExporter,
                                 "--web.listen-address=" + Here(port),
                                 "--collector.disable-defaults"};
  for (const char* collector :
       {"cpu", "cpufreq", "meminfo", "diskstats", "filesystem", "netdev",
        "loadavg", "pressure", "thermal_zone", "hwmon", "rapl",
        "powersupplyclass", "uname", "os", "dmi", "stat"}) {
    words.push_back(std::string("--collector.") + collector);
  }
  return std::make_unique<Exporter>(words, port, folder);
}

bool CompareScrapes(const std::filesystem::path& folder) {
  auto agent = StartAgent(folder);
  auto rival = StartNodeExporter(folder);
  std::vector<double> ratios;
  double own = 0;
  double others = 0;
  for (int i = 0; i < kBlocks; ++i) {
    // The order alternates, too.
    double first = i % 2 == 0 ? agent->CpuOfBlock() : rival->CpuOfBlock();
    double second = i % 2 == 0 ? rival->CpuOfBlock() : agent->CpuOfBlock();
    double mine = i % 2 == 0 ? first : second;
    double theirs = i % 2 == 0 ? second : first;
    own += mine;
    others += theirs;
    ratios.push_back(mine / theirs);
  }
  std::vector<double> sorted = Sorted(ratios);
  double ratio = *QuantileOfSorted(sorted, 0.5);
  auto interval = QuantileInterval(sorted, {});
  constexpr double kScrapes = kBlocks * kScrapesInBlock;
  double memory = agent->Megabytes() / rival->Megabytes();
  bool pass = ratio <= kCpuLimit && memory <= kMemoryLimit;
  fmt::print(
      "scrape: mete-agent {:.3f} ms of CPU, {:.1f} MB, page of {} bytes; node "
      "exporter {:.3f} ms, {:.1f} MB, page of {} bytes\n"
      "ratio of CPU {:.3f} ({:.3f} to {:.3f}, 95 %, limit {:.3f}), of memory "
      "{:.3f} (limit {}), {} pairs of {} scrapes: {}\n",
      own / kScrapes * 1e3, agent->Megabytes(), agent->Scrape(),
      others / kScrapes * 1e3, rival->Megabytes(), rival->Scrape(), ratio,
      interval->low, interval->high, kCpuLimit, memory, kMemoryLimit, kBlocks,
      kScrapesInBlock, pass ? "PASS" : "FAIL");
  return pass;
}

// Wakes up ten times a second and does a little work, until it is killed.
pid_t StartLivelyProcess() {
  const pid_t child = fork();
  CHECK(child >= 0) << "fork";
  if (child > 0) return child;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  while (true) usleep(100'000);
}

// Cgroups named as Docker names them, some with a process. The destructor
// removes them.
class ContainerGroups {
 public:
  ContainerGroups(int count, int lively_every) {
    for (int i = 0; lively_every > 0 && i < count; i += lively_every) {
      processes_.emplace_back(i, StartLivelyProcess());
    }
    for (const CgroupMount& mount : FindCgroupMounts(SystemRoot())) {
      if (mount.controllers.empty()) continue;
      const std::filesystem::path parent = mount.point / "docker";
      if (mkdir(parent.c_str(), 0755) == 0) parents_.push_back(parent);
      for (int i = 0; i < count; ++i) {
        const auto group = parent / Name(i);
        if (mkdir(group.c_str(), 0755) == 0) groups_.push_back(group);
      }
      for (const auto& [number, process] : processes_) {
        std::ofstream(parent / Name(number) / "cgroup.procs") << process;
      }
    }
  }
  ContainerGroups(const ContainerGroups&) = delete;
  ContainerGroups& operator=(const ContainerGroups&) = delete;
  ~ContainerGroups() {
    for (const auto& [number, process] : processes_) {
      kill(process, SIGKILL);
      waitpid(process, nullptr, 0);
    }
    for (const auto& group : groups_) rmdir(group.c_str());
    for (const auto& parent : parents_) rmdir(parent.c_str());
  }
  bool made() const { return !groups_.empty(); }

 private:
  // Docker IDs differ in their first digits, which form the short ID.
  static std::string Name(int number) {
    return fmt::format("{:08x}{:056x}",
                       0xbe7c0000u + static_cast<unsigned>(number), 0);
  }

  std::vector<std::pair<int, pid_t>>
      processes_;  // with the number of their cgroup
  std::vector<std::filesystem::path> parents_;
  std::vector<std::filesystem::path> groups_;
};

bool WatchContainers(int count, int lively_every,
                     const std::filesystem::path& folder) {
  ContainerGroups groups(count, lively_every);
  if (!groups.made()) {
    fmt::print("{} containers: SKIPPED, creating cgroups requires root\n",
               count);
    return true;
  }
  auto agent = StartAgent(folder);
  for (int i = 0; i < 3; ++i) agent->Scrape();
  const double before = agent->CpuSeconds();
  const auto start = std::chrono::steady_clock::now();
  size_t page = 0;
  for (auto next = start; next < start + kWatch;
       next += std::chrono::seconds(1)) {
    std::this_thread::sleep_until(next);
    page = agent->Scrape();
  }
  const std::chrono::duration<double> passed =
      std::chrono::steady_clock::now() - start;
  const double share = (agent->CpuSeconds() - before) / passed.count();
  const double megabytes = agent->Megabytes();
  const bool judged = count <= 100;
  const bool pass =
      !judged || (share <= kShareLimit && megabytes <= kMegabytesLimit);
  fmt::print(
      "{} containers{} at 1 s: {:.2f} % of a core, {:.1f} MB, page of {} "
      "bytes{}\n",
      count,
      lively_every == 0   ? " without processes"
      : lively_every == 1 ? ", all busy,"
                          : ", some busy,",
      share * 100, megabytes, page,
      judged ? fmt::format(" (limits {} %, {} MB): {}", kShareLimit * 100,
                           kMegabytesLimit, pass ? "PASS" : "FAIL")
             : "");
  return pass;
}

int Main() {
  ScratchFolder folder = *ScratchFolder::Create();
  bool pass = true;
  if (std::filesystem::exists(kNodeExporter)) {
    pass = CompareScrapes(folder.path());
  } else {
    fmt::print("scrape: SKIPPED, {} is missing\n", kNodeExporter);
  }
  pass = WatchContainers(100, 0, folder.path()) && pass;
  pass = WatchContainers(100, 1, folder.path()) && pass;
  pass = WatchContainers(2000, 20, folder.path()) && pass;
  return pass ? 0 : 1;
}

}  // namespace
}  // namespace mete

int main() { return mete::Main(); }
