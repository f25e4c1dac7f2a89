// CPU time of rounds of mete watch over 5,000 pods. A process of its own
// answers as Prometheus does, and the cluster is in memory, so only watching
// counts: queries, parsing, analysis, deciding and comparing. The clock
// advances by the period between rounds without waiting; 25 minutes contain the
// first analyses, which are spread over several rounds, and then repeat every
// one at least twice.
//
// Target: 20 % of one core at a period of 30 s, that is 6 s per round.
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "adapters/prometheus/prometheus_history.h"
#include "analyze/analyze_job.h"
#include "net/http_server.h"
#include "support/file.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fake_cluster.h"
#include "watch/cluster_sink.h"
#include "watch/watch_round.h"

namespace mete {
namespace {

constexpr int kPods = 5000;
constexpr int kNodes = 100;
constexpr Seconds kPeriod{30};
constexpr int kRounds = 50;
constexpr int kFirstRounds = 20;  // until everything was analyzed once

// The time of day is made up, the CPU time is real.
class BenchClock final : public Clock {
 public:
  explicit BenchClock(const FakeClock& day) : day_(day) {}
  std::chrono::nanoseconds Now() const override { return day_.Now(); }
  std::chrono::system_clock::time_point Wall() const override {
    return day_.Wall();
  }
  Seconds ProcessCpu() const override { return real_.ProcessCpu(); }
  bool SleepFor(std::chrono::nanoseconds wait, std::stop_token stop) override {
    return real_.SleepFor(wait, stop);
  }

 private:
  const FakeClock& day_;
  SystemClock real_;
};

// CPU time of rounds.
struct Load {
  Seconds sum{0}, most{0};
  int rounds = 0;

  void Add(Seconds cpu) {
    sum += cpu;
    most = std::max(most, cpu);
    ++rounds;
  }
  std::string Text() const {
    return fmt::format("{:.1f} % of a core, at most {:.1f} %",
                       100 * sum / rounds / kPeriod, 100 * most / kPeriod);
  }
};

// A period of 5 to 15 minutes, and noise that depends only on the time.
double Value(int pod, double time) {
  double period = 300 + pod % 600;
  auto noise =
      static_cast<double>(std::hash<double>()(time * 1000 + pod) % 1000);
  return 1.5 + std::sin(2 * M_PI * time / period) + noise / 5000;
}

std::string Points(int pod, double from, double to, double step) {
  std::string points;
  for (double time = from; time <= to + step / 10; time += step) {
    fmt::format_to(std::back_inserter(points), "{}[{:.0f},\"{:.6f}\"]",
                   points.empty() ? "" : ",", time, Value(pod, time));
  }
  return points;
}

// Answers queries about pods from the kubelet; all other results are empty.
HttpReply Answer(const HttpRequest& request) {
  auto query = ParseQuery(SplitTarget(request.target).query);
  bool pods = query["query"].find("container!=\"\"") != std::string::npos ||
              query["query"].find("container_network") != std::string::npos;
  bool kubelet =
      query["query"].find("container_label") == std::string::npos && pods;
  std::string body =
      R"({"status":"success","data":{"resultType":"matrix","result":[)";
  for (int pod = 0; kubelet && pod < kPods; ++pod) {
    fmt::format_to(std::back_inserter(body),
                   "{}{{\"metric\":{{\"namespace\":\"ml\",\"pod\":\"p{}\"}},"
                   "\"values\":[{}]}}",
                   pod == 0 ? "" : ",", pod,
                   Points(pod, std::stod(query["start"]),
                          std::stod(query["end"]), std::stod(query["step"])));
  }
  return {{.status = 200, .body = body + "]}}"}};
}

// Serves until it is killed.
pid_t StartDouble(const std::filesystem::path& socket) {
  pid_t child = fork();
  if (child != 0) return child;
  auto server =
      HttpServer::Start({.listen = {.socket = socket.string()}}, Answer);
  while (server.ok()) pause();
  _exit(1);
}

void AddPods(FakeCluster& cluster) {
  for (int node = 0; node < kNodes; ++node) {
    cluster.AddNode({.meta = {.ref = {.name = fmt::format("n{}", node)}}});
  }
  for (int pod = 0; pod < kPods; ++pod) {
    cluster.AddPod(
        {.meta = {.ref = {.space = "ml", .name = fmt::format("p{}", pod)}},
         .node = fmt::format("n{}", pod % kNodes),
         .phase = PodPhase::kRunning});
  }
}

int Run(const std::filesystem::path& folder) {
  auto socket = folder / "s";
  pid_t server = StartDouble(socket);
  while (!std::filesystem::exists(socket)) usleep(10'000);
  FakeClock day;
  BenchClock clock(day);
  SystemClock real;
  FakeCluster cluster(day);
  AddPods(cluster);
  PrometheusHistory history({.url = {.endpoint = {.socket = socket.string()}}},
                            {.deadline = std::chrono::minutes(5)}, real);
  ClusterSink sink(cluster);
  WatchRounds rounds({.history = history,
                      .cluster = &cluster,
                      .sink = sink,
                      .analyzers = {.job = AnalyzeJob, .series = AnalyzeSeries},
                      .clock = clock});
  WatchRequest request{.config = DefaultWatchConfig()};
  request.analysis_time = kPeriod * request.config.analysis_share;
  Load first, later;
  for (int round = 0; round < kRounds; ++round) {
    Seconds before = real.ProcessCpu();
    auto report = rounds.Run(request, {});
    Seconds cpu = real.ProcessCpu() - before;
    if (!report.ok()) {
      fmt::print(stderr, "{}\n", report.error().message());
      break;
    }
    (round < kFirstRounds ? first : later).Add(cpu);
    fmt::print(
        "round {}: {:.2f} s CPU, {:.1f} % of a core; {} objects, {} changed, "
        "{} postponed\n",
        round + 1, cpu.count(), 100 * cpu / kPeriod, report->objects.size(),
        report->changed, report->postponed);
    std::fflush(stdout);
    day.Advance(std::chrono::seconds(30));
  }
  fmt::print("rounds 1 to {}: {}\nrounds {} to {}: {}\n", kFirstRounds,
             first.Text(), kFirstRounds + 1, kRounds, later.Text());
  kill(server, SIGKILL);
  waitpid(server, nullptr, 0);
  return 0;
}

}  // namespace
}  // namespace mete

int main() {
  auto folder = mete::ScratchFolder::Create();
  return folder.ok() ? mete::Run(folder->path()) : 1;
}
