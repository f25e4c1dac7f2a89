// Measures the predictions per second of the profiling service: wrk sends POST
// /api/profiling over 64 connections to a server on one core, for clusters of 3
// and 100 nodes. Also checks that memory does not grow over a million requests.
// The limits are for an otherwise idle machine, so the results include how much
// of the two cores other processes used.
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "net/http_client.h"
#include "net/http_server.h"
#include "support/check.h"
#include "support/file.h"

namespace mete {
namespace {

constexpr int kConnections = 64;
constexpr double kMostRssMegabytes = 60;
constexpr double kMostGrowthMegabytes = 2;
constexpr double kMostSeconds = 0.020;  // the 99th percentile
constexpr double kMillion = 1e6;
constexpr uint16_t kPort = 17001;
constexpr const char* kQuestion =
    R"({"model":"resnet","conv_layers":152,"pool_layers":1,"fc_layers":1,)"
    R"("filter_details":75712,"total_parameters":60404072,)"
    R"("model_input_size":74018,"model_output_size":4128})";

struct Goal {
  int nodes;
  double requests_per_second;
};
constexpr Goal kGoals[] = {{3, 5000}, {100, 1500}};

// A fake Prometheus server with the given number of nodes.
class StandIn {
 public:
  explicit StandIn(int nodes) {
    for (int i = 0; i < nodes; ++i) {
      std::string name = fmt::format("node-{:03}", i);
      Add(facts_,
          fmt::format(R"("__name__":"char_node_device_model",)"
                      R"("char_node_name":"{0}","char_node_class":)"
                      R"("Computer","char_node_uuid":"uuid-{0}",)"
                      R"("char_node_device_model_name":)"
                      R"("Raspberry Pi 4 Model B Rev 1.4")",
                      name),
          1);
      Add(facts_,
          fmt::format(R"("__name__":"char_node_cpu_total_cores",)"
                      R"("char_node_name":"{}","char_node_arch":)"
                      R"("aarch64")",
                      name),
          4);
      Add(facts_,
          fmt::format(R"("__name__":"mete_device_max_frequency_hertz",)"
                      R"("node":"{}")",
                      name),
          1.5e9);
      for (const char* series :
           {"gemm_flops_per_second", "conv_flops_per_second",
            "depthwise_flops_per_second", "elementwise_bytes_per_second"}) {
        for (int threads : {1, 4}) {
          Add(facts_,
              fmt::format(R"("__name__":"mete_device_engine_{}","node":"{}",)"
                          R"("threads":"{}")",
                          series, name, threads),
              2e9 * threads);
        }
      }
      Add(load_, fmt::format(R"("instance":"{}")", name), 0.01 * (i % 90));
    }
    auto server = HttpServer::Start(
        {.listen = {.host = "127.0.0.1"}},
        [this](const HttpRequest& request) { return Answer(request); });
    CHECK(server.ok()) << server.error().message();
    server_ = *std::move(server);
  }

  std::string place() const {
    return "127.0.0.1:" + std::to_string(server_->endpoint().port);
  }

 private:
  static void Add(std::string& list, const std::string& labels, double value) {
    list += fmt::format("{}{{\"metric\":{{{}}},\"value\":[1,\"{}\"]}}",
                        list.empty() ? "" : ",", labels, value);
  }

  HttpReply Answer(const HttpRequest& request) const {
    std::string query = ParseQuery(SplitTarget(request.target).query)["query"];
    const std::string none;
    const std::string& list = query.starts_with("{")         ? facts_
                              : query.starts_with("1 - avg") ? load_
                                                             : none;
    HttpReply reply;
    reply.response.status = 200;
    reply.response.body =
        R"({"status":"success","data":{"resultType":"vector","result":[)" +
        list + "]}}";
    return reply;
  }

  std::string facts_;
  std::string load_;
  std::unique_ptr<HttpServer> server_;
};

// The server, pinned to the first core.
class Server {
 public:
  Server(const char* program, const std::filesystem::path& folder,
         const std::string& prometheus) {
    setenv("PROMETHEUS_IP", prometheus.c_str(), 1);
    std::vector<std::string> words = {
        "taskset",
        "-c",
        "0",
        program,
        "-q",
        "--store",
        "sqlite:" + (folder / "store.db").string(),
        "serve",
        "--no-worker",
        "--rate-limit",
        "0",
        "--listen",
        "127.0.0.1:" + std::to_string(kPort)};
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    int error = posix_spawnp(&process_, "taskset", nullptr, nullptr,
                             arguments.data(), environ);
    CHECK(error == 0) << "start taskset";
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server() {
    kill(process_, SIGTERM);
    waitpid(process_, nullptr, 0);
  }

  // CPU time of all its threads, without interrupts.
  double CpuSeconds() const {
    std::string stat = ReadFile(fmt::format("/proc/{}/stat", process_)).value();
    std::istringstream words(stat.substr(stat.rfind(')') + 1));
    std::string skipped;
    for (int field = 3; field < 14; ++field) words >> skipped;
    double user = 0;
    double system = 0;
    words >> user >> system;
    return (user + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
  }

  double RssMegabytes() const {
    std::ifstream status(fmt::format("/proc/{}/status", process_));
    for (std::string line; std::getline(status, line);) {
      if (line.starts_with("VmRSS:")) {
        return std::stod(line.substr(6)) * 1024 / 1e6;
      }
    }
    return 0;
  }

 private:
  pid_t process_ = 0;
};

int StatusOfQuestion() {
  auto response = HttpClient({.host = "127.0.0.1", .port = kPort})
                      .Send({.method = "POST",
                             .target = "/api/profiling",
                             .fields = {{"content-type", "application/json"}},
                             .body = kQuestion});
  return response.ok() ? response->status : 0;
}

// Waits for the first response and returns its status; 0 if there is none.
int WaitForAnswer() {
  for (int i = 0; i < 100; ++i) {
    int status = StatusOfQuestion();
    if (status != 0) return status;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  return 0;
}

// Busy time of a core since boot, without interrupts, which here are the
// packets between wrk and the server.
double BusySeconds(int core) {
  std::ifstream stat("/proc/stat");
  std::string requested = fmt::format("cpu{} ", core);
  for (std::string line; std::getline(stat, line);) {
    if (!line.starts_with(requested)) continue;
    std::istringstream words(line.substr(requested.size()));
    double user = 0;
    double nice = 0;
    double system = 0;
    double idle = 0;
    double waiting = 0;
    double interrupts = 0;
    double soft = 0;
    double stolen = 0;
    words >> user >> nice >> system >> idle >> waiting >> interrupts >> soft >>
        stolen;
    return (user + nice + system + stolen) /
           static_cast<double>(sysconf(_SC_CLK_TCK));
  }
  return 0;
}

double InSeconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) +
         static_cast<double>(time.tv_usec) * 1e-6;
}

// CPU time of wrk, once it has ended.
double ChildrenSeconds() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  return InSeconds(usage.ru_utime) + InSeconds(usage.ru_stime);
}

// Measures how much of both cores other processes used. The server and wrk have
// to wait for them, and scheduling by sessions gives other processes their
// share regardless of their nice value.
class Neighbours {
 public:
  explicit Neighbours(const Server& server)
      : server_(server),
        start_(std::chrono::steady_clock::now()),
        first_(FirstCore()),
        second_(SecondCore()) {}

  std::string Text() const {
    std::chrono::duration<double> took =
        std::chrono::steady_clock::now() - start_;
    auto percent = [&](double seconds) {
      return 100 * std::max(0.0, seconds) / took.count();
    };
    return fmt::format(
        "others used {:.0f} % of the server's core and {:.0f} % of wrk's",
        percent(FirstCore() - first_), percent(SecondCore() - second_));
  }

 private:
  double FirstCore() const { return BusySeconds(0) - server_.CpuSeconds(); }
  static double SecondCore() { return BusySeconds(1) - ChildrenSeconds(); }

  const Server& server_;
  std::chrono::steady_clock::time_point start_;
  double first_;
  double second_;
};

struct Load {
  double requests = 0;
  double requests_per_second = 0;
  double p99_seconds = 0;
  bool errors = false;
};

// "12.34ms", "980.00us", "1.02s".
double ReadTime(const std::string& text) {
  double value = std::stod(text);
  if (text.ends_with("us")) return value * 1e-6;
  return text.ends_with("ms") ? value * 1e-3 : value;
}

Load RunWrk(const std::filesystem::path& script, int seconds) {
  std::string command = fmt::format(
      "taskset -c 1 wrk -t1 -c{} -d{}s --latency -s {} "
      "http://127.0.0.1:{}/api/profiling 2>&1",
      kConnections, seconds, script.string(), kPort);
  FILE* pipe = popen(command.c_str(), "r");
  CHECK(pipe != nullptr) << "start wrk";
  std::string text;
  char buffer[4096];
  for (size_t got = 0; (got = fread(buffer, 1, sizeof buffer, pipe)) > 0;) {
    text.append(buffer, got);
  }
  pclose(pipe);
  Load load;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string first;
    std::string second;
    words >> first >> second;
    if (first == "99%") load.p99_seconds = ReadTime(second);
    if (first == "Requests/sec:") load.requests_per_second = std::stod(second);
    if (second == "requests") load.requests = std::stod(first);
    load.errors = load.errors || first == "Non-2xx" || first == "Socket";
  }
  if (load.requests == 0) std::fprintf(stderr, "%s", text.c_str());
  return load;
}

bool RunGoal(const char* program, const Goal& goal) {
  ScratchFolder folder = *ScratchFolder::Create();
  auto script = folder.path() / "question.lua";
  std::ofstream(script) << "wrk.method = 'POST'\nwrk.body = '" << kQuestion
                        << "'\nwrk.headers['Content-Type'] = "
                           "'application/json'\n";
  setenv("METE_STATE", folder.path().c_str(), 1);
  StandIn prometheus(goal.nodes);
  Server server(program, folder.path(), prometheus.place());
  if (int status = WaitForAnswer(); status != 200) {
    std::fprintf(stderr,
                 "serve_profiling: the server answered with status %d\n",
                 status);
    return false;
  }
  Neighbours neighbours(server);
  Load load = RunWrk(script, 10);
  std::string others = neighbours.Text();
  double rss = server.RssMegabytes();
  bool pass = load.requests_per_second >= goal.requests_per_second &&
              load.p99_seconds < kMostSeconds && !load.errors &&
              rss < kMostRssMegabytes;
  std::printf(
      "%3d nodes: %.0f requests/s (at least %.0f), 99%% within %.2f ms (limit "
      "%.0f ms), RSS %.1f MB (limit %.0f MB)%s: %s\n           %s\n",
      goal.nodes, load.requests_per_second, goal.requests_per_second,
      load.p99_seconds * 1e3, kMostSeconds * 1e3, rss, kMostRssMegabytes,
      load.errors ? ", with errors" : "", pass ? "PASS" : "FAIL",
      others.c_str());
  std::fflush(stdout);
  if (goal.nodes != kGoals[0].nodes) return pass;
  double requests = load.requests;
  while (requests < kMillion && load.requests > 0) {
    load = RunWrk(script, 20);
    requests += load.requests;
  }
  double growth = server.RssMegabytes() - rss;
  bool flat = requests >= kMillion && growth < kMostGrowthMegabytes;
  std::printf(
      "%.2f million requests: RSS grew by %.2f MB (limit %.0f MB): "
      "%s\n",
      requests / kMillion, growth, kMostGrowthMegabytes,
      flat ? "PASS" : "FAIL");
  return pass && flat;
}

}  // namespace
}  // namespace mete

// serve_profiling [PROGRAM]: tests another mete than the one it was built with.
int main(int argc, char** argv) {
  const char* program = argc > 1 ? argv[1] : METE_PROGRAM;
  if (std::system("command -v wrk >/dev/null && command -v taskset "
                  ">/dev/null") != 0) {
    std::printf("serve_profiling: skipped: wrk or taskset is not installed\n");
    return 0;
  }
  bool pass = true;
  for (const mete::Goal& goal : mete::kGoals) {
    pass = mete::RunGoal(program, goal) && pass;
  }
  return pass ? 0 : 1;
}
