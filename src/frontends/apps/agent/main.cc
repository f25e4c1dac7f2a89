// mete-agent: exposes metrics of this device and its applications to
// Prometheus.
#include <fmt/format.h>
#include <malloc.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <iostream>

#include "agent/agent_routes.h"
#include "agent/catalogue.h"
#include "agent/engine_measurer.h"
#include "agent/legacy_collector.h"
#include "agent/privileges.h"
#include "agent/snapshots.h"
#include "apps/agent/agent_flags.h"
#include "apps/agent/collectors.h"
#include "flags/exit_code.h"
#include "flags/version.h"
#include "linux/descriptor_limit.h"
#include "net/http_server.h"
#include "net/known_hosts.h"
#include "support/file.h"
#include "support/units.h"
#include "web/web_guard.h"

namespace mete {
namespace {

void Log(const std::string& line) { std::cerr << "mete-agent: " + line + "\n"; }

// Makes threads share one heap and return the memory of large replies: the
// agent runs on small boards for months.
void StaySmall() {
  mallopt(M_ARENA_MAX, 1);
  mallopt(M_TRIM_THRESHOLD, 128 << 10);
  mallopt(M_MMAP_THRESHOLD, 64 << 10);
}

// The agent keeps files of some hundred containers' cgroups open.
constexpr size_t kMostFiles = 4096;

// Blocks the signals in every thread so that WaitForSignal receives them.
sigset_t BlockSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1}) {
    sigaddset(&signals, signal);
  }
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &ignore, nullptr);
  return signals;
}

EngineMeasurerRequest MeasurerRequest(const AgentFlags& flags) {
  std::string program = flags.mete;
  if (program.empty()) {
    auto beside = std::filesystem::path(OwnProgram()).parent_path() / "mete";
    std::error_code error;
    program = std::filesystem::exists(beside, error) ? beside.string() : "mete";
  }
  return {.program = program, .folder = flags.state, .report = Log};
}

Status MakeFolders(const AgentFlags& flags) {
  std::vector<std::filesystem::path> folders{flags.state};
  if (!flags.no_hooks) folders.push_back(flags.hook_folder);
  for (const auto& folder : folders) {
    RETURN_IF_ERROR(MakeFolderFor(flags.user, folder));
  }
  return {};
}

// Returns on a signal to terminate. SIGUSR1 requests a measurement.
void WaitForSignal(const sigset_t& signals, EngineMeasurer* measurer) {
  while (true) {
    int signal = 0;
    if (sigwait(&signals, &signal) != 0) continue;
    if (signal != SIGUSR1) return;
    if (measurer != nullptr) measurer->Ask();
    Log(measurer != nullptr
            ? "the inference engine will be measured when the device is idle"
            : "--no-measure: the inference engine will not be measured");
  }
}

// The server, which starts before there are metrics: only root may be able to
// open its port and read its key.
struct Listener {
  std::unique_ptr<WebGuard> guard;  // null: no password
  std::atomic<Snapshots*> snapshots = nullptr;
  std::unique_ptr<HttpServer> server;  // destroyed before the others
};

HttpReply AnswerWhenReady(Listener& listener, const HttpRequest& request) {
  Snapshots* snapshots = listener.snapshots;
  if (snapshots == nullptr) {
    return {{.status = 503, .body = "the agent is starting\n"}};
  }
  return {AnswerRequest(request, *snapshots)};
}

Status Open(Listener& listener, const AgentFlags& flags, const Clock& clock) {
  if (!flags.web_config.empty()) {
    ASSIGN_OR_RETURN(
        listener.guard,
        WebGuard::Open({.file = flags.web_config, .warn = Log}, clock));
  }
  HttpHandler answer = [&listener](const HttpRequest& request) {
    return AnswerWhenReady(listener, request);
  };
  HttpHandler guarded = [&listener, answer](const HttpRequest& request) {
    return listener.guard->Answer(request, answer);
  };
  const Endpoint listen = *ParseListen(flags.listen);
  auto refuse = [hosts = KnownHosts(listen, {})](
                    const HttpRequest& head) -> std::optional<HttpReply> {
    auto host = head.fields.find("host");
    if (host == head.fields.end() || hosts.Allow(host->second)) {
      return std::nullopt;
    }
    return HttpReply{{.status = 403, .body = "use the name localhost\n"}};
  };
  ASSIGN_OR_RETURN(
      listener.server,
      HttpServer::Start(
          {.listen = listen,
           .largest_body = Kibibytes(64),
           .pace = refuse,
           .tls = listener.guard ? listener.guard->tls() : std::nullopt,
           .patience = std::chrono::seconds(10),
           .most_body_bytes = Mebibytes(1),
           .threads = 4,  // two may be busy checking passwords
           .most_connections = 64},
          listener.guard ? guarded : answer));
  return {};
}

// Returns the URL of the metrics.
std::string FormatAddress(const Endpoint& endpoint) {
  if (endpoint.local()) return endpoint.Text();
  return fmt::format("{}://{}/metrics", endpoint.tls ? "https" : "http",
                     endpoint.Authority());
}

SnapshotSettings MakeSettings(const AgentFlags& flags) {
  auto milliseconds = [](const std::string& duration) {
    return std::chrono::duration_cast<std::chrono::milliseconds>(
        *ParseDuration(duration));
  };
  return {.max_age = milliseconds(flags.max_age),
          .patience = milliseconds(flags.timeout),
          .report = Log};
}

// `clock` must outlive even collectors that hang.
Status Serve(const AgentFlags& flags, Clock& clock) {
  const sigset_t signals = BlockSignals();
  RaiseDescriptorLimit(kMostFiles);
  const SystemRoot root(flags.root);
  const bool started_as_root = geteuid() == 0;
  RETURN_IF_ERROR(MakeFolders(flags));
  ASSIGN_OR_RETURN(DeviceIdentity identity, ReadIdentity(flags, root));
  auto collectors = MakeCollectors(flags, identity, root, clock);
  Listener listener;
  RETURN_IF_ERROR(Open(listener, flags, clock));
  RETURN_IF_ERROR(
      DropPrivileges({.user = flags.user, .read_all = flags.read_all}));
  // Everything started from here on runs without root privileges.
  collectors.push_back(MakeGpuCollector(flags, identity, root, clock));
  Applications applications;
  if (!flags.no_hooks) {
    auto listening =
        ListenToApplications(flags, identity.node, root, clock, Log);
    if (!listening.ok()) {
      return started_as_root
                 ? ExplainAs(flags.user, flags.hook_folder, listening.error())
                 : listening.error();
    }
    applications = *std::move(listening);
    collectors.push_back(std::move(applications.collector));
  }
  if (flags.compat) {
    collectors.push_back(std::make_unique<LegacyCollector>(
        identity.node, root, applications.book.get(), clock));
  }
  Snapshots snapshots(std::move(collectors), MakeSettings(flags), clock);
  listener.snapshots = &snapshots;
  Log(fmt::format("serving metrics of node {} on {}", identity.node,
                  FormatAddress(listener.server->endpoint())));
  if (!flags.no_hooks) {
    Log(fmt::format("accepting metrics from {}: METE_HOOK_SOCKET={}",
                    flags.hooks_for_all ? "all users" : "this user and root",
                    applications.receiver->path().string()));
  }
  std::optional<EngineMeasurer> measurer;
  if (!flags.no_measure) measurer.emplace(MeasurerRequest(flags), root, clock);
  WaitForSignal(signals, measurer ? &*measurer : nullptr);
  Log("stopping");
  listener.server.reset();  // no more requests
  return {};
}

Status Measure(const AgentFlags& flags, Clock& clock) {
  RETURN_IF_ERROR(MakeFolders(flags));
  // The running agent must be able to replace the file.
  RETURN_IF_ERROR(DropPrivileges({.user = flags.user}));
  const EngineMeasurerRequest request = MeasurerRequest(flags);
  const double load = LoadDuring(std::chrono::seconds(1), clock);
  if (load > request.most_load) {
    Log(
        fmt::format("other programs use {:.0f} % of the CPU time: the measured "
                    "speed will be too low",
                    load * 100));
  }
  RETURN_IF_ERROR(MeasureEngine(request, clock, {}));
  std::cout << EngineSpeedsFile(flags.state).string() << '\n';
  return {};
}

int Main(int argc, const char* const* argv) {
  StaySmall();
  CommandLine line(
      {.name = "mete-agent",
       .description = "Expose metrics of this device and its applications to "
                      "Prometheus",
       .footer = "Example:\n  mete-agent --listen 0.0.0.0:5001 --node rpi-1\n"
                 "  curl http://127.0.0.1:5001/metrics",
       .version = std::string("mete-agent ") + kVersion});
  AgentFlags flags;
  AddAgentFlags(line.root(), flags);
  CommandLine::Reading reading = line.Read(argc, argv);
  if (reading.help) {
    std::cout << *reading.help;
    return static_cast<int>(ExitCode::kDone);
  }
  if (reading.complaint) {
    std::cerr << *reading.complaint << '\n';
    return static_cast<int>(ExitCode::kUsage);
  }
  if (flags.list_metrics) {
    std::cout << CatalogueMarkdown(MetricCatalogue());
    return static_cast<int>(ExitCode::kDone);
  }
  ChooseFolders(flags);
  SystemClock clock;
  Status done = flags.measure ? Measure(flags, clock) : Serve(flags, clock);
  if (!done.ok()) Log(done.error().message());
  std::cout.flush();
  // Skip destructors: a collector that hangs still uses these objects.
  _exit(static_cast<int>(done.ok() ? ExitCode::kDone : ExitCode::kError));
}

}  // namespace
}  // namespace mete

int main(int argc, char** argv) { return mete::Main(argc, argv); }
