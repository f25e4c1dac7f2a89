// CPU time of rounds of mete watch over 5,000 pods. A process of its own
// answers as Prometheus does, and the cluster is in memory, so only watching
// counts: queries, parsing, analysis, deciding and comparing.
//
// Target: 20 % of one core at a period of 30 s, that is 6 s per round.
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

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
  FakeClock clock;
  SystemClock real;
  FakeCluster cluster(clock);
  AddPods(cluster);
  PrometheusHistory history({.url = {.endpoint = {.socket = socket.string()}}},
                            {.deadline = std::chrono::minutes(5)}, real);
  ClusterSink sink(cluster);
  WatchRounds rounds({.history = history,
                      .cluster = &cluster,
                      .sink = sink,
                      .analyzers = {.job = AnalyzeJob, .series = AnalyzeSeries},
                      .clock = clock});
  for (int round = 0; round < 6; ++round) {
    Seconds before = real.ProcessCpu();
    auto report = rounds.Run({.config = DefaultWatchConfig()}, {});
    Seconds cpu = real.ProcessCpu() - before;
    if (!report.ok()) {
      fmt::print(stderr, "{}\n", report.error().message());
      break;
    }
    fmt::print(
        "round {}: {:.2f} s CPU, {:.1f} % of a core; {} objects, {} changed\n",
        round + 1, cpu.count(), 100 * cpu / kPeriod, report->objects.size(),
        report->changed);
    std::fflush(stdout);
    clock.Advance(std::chrono::seconds(30));
  }
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
