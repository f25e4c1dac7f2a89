#include "cli/service_command.h"

#include <fmt/format.h>
#include <pthread.h>

#include <memory>
#include <system_error>

#include "inference/inference_server.h"
#include "measure/network_options.h"
#include "service/prepare_network.h"
#include "support/file.h"
#include "support/text.h"

namespace mete {
namespace {

struct ServingFlags {
  std::string network;
  std::string name;
  std::string listen = "127.0.0.1:8000";
  std::string port_file;
  std::string drain = "30s";
  int threads = 1;
  uint64_t workers = 1;
  uint64_t queue = 256;
  int64_t batch = 1;
  std::vector<std::string> shapes;
  std::vector<std::string> inputs;
  uint64_t seed = 0;
  bool insecure = false;
};

// Other machines get no password prompt, so reaching them must be on purpose.
Status CheckServiceExposure(const Endpoint& listen, bool insecure) {
  if (listen.local() || listen.loopback() || insecure) return {};
  return InvalidInput(
      fmt::format("--listen {}: other machines can reach this address, and "
                  "anybody there could use the service; add --insecure to "
                  "accept that",
                  listen.Authority()));
}

Result<ServiceRequest> MakeServiceRequest(const ServingFlags& flags,
                                          const NetworkToServe& network,
                                          const RunEntropy& entropy) {
  ServiceRequest request{
      .network = network.path,
      .name = flags.name.empty() ? network.name : flags.name,
      .uid = fmt::format("{:016x}", entropy.low),
      .threads = flags.threads,
      .workers = flags.workers,
      .batch = flags.batch,
      .queue = flags.queue,
      .inputs = {.sizes = {}, .seed = flags.seed, .given = flags.inputs},
      .engine = {}};
  for (const std::string& shape : flags.shapes) {
    ASSIGN_OR_RETURN(ShapeOverride given, ParseShapeOverride(shape));
    request.inputs.sizes.shapes.push_back(std::move(given));
  }
  return request;
}

// Only for ps and top; the kernel keeps 15 characters.
void NameThisProcess(const std::string& network) {
  pthread_setname_np(pthread_self(), ("mete " + network).substr(0, 15).c_str());
}

// mete contend reads the address from this line (contend/launched_service.h).
void NoteListening(const ServiceRequest& request, const Endpoint& endpoint,
                   Console& console) {
  const std::string place =
      endpoint.local() ? endpoint.Text() : "http://" + endpoint.Authority();
  console.Note(fmt::format(
      "mete service: serving {} on {} (batch {}, {}, {}, a queue of {})",
      request.name, place, request.batch, Counted(request.workers, "worker"),
      Counted(static_cast<uint64_t>(request.threads), "thread"),
      request.queue));
}

// Answers what is queued, for at most the time the user allows.
void DrainService(InferenceServer& server, InferenceService& service,
                  const ServingFlags& flags, Console& console) {
  const Seconds most = ParseDuration(flags.drain).value();
  if (!server.Drain(
          std::chrono::duration_cast<std::chrono::milliseconds>(most))) {
    const size_t dropped = service.RejectQueued();
    console.Warn(fmt::format("refused {} of the queue after {}",
                             Counted(dropped, "request"), flags.drain));
  }
  const ServiceMeter& meter = service.meter();
  console.Note(
      fmt::format("mete service: served {}; {} rejected, {} invalid, {} failed",
                  Counted(meter.served, "request"), meter.rejected.load(),
                  meter.invalid.load(), meter.failed.load()));
}

// Gives other programs the port: exists while requests are answered.
class PortFile {
 public:
  static Result<PortFile> Write(const std::string& path, uint16_t port) {
    if (path.empty()) return PortFile("");
    RETURN_IF_ERROR(WriteFileAtomically(path, fmt::format("{}\n", port))
                        .While("--port-file"));
    return PortFile(path);
  }
  // Of a service that was killed.
  static void RemoveStale(const std::string& path) {
    std::error_code ignored;
    if (!path.empty()) std::filesystem::remove(path, ignored);
  }
  PortFile(PortFile&& other) noexcept : path_(std::exchange(other.path_, "")) {}
  PortFile& operator=(PortFile&&) = delete;
  ~PortFile() { Remove(); }

  void Remove() {
    RemoveStale(path_);
    path_.clear();
  }

 private:
  explicit PortFile(std::string path) : path_(std::move(path)) {}

  std::string path_;
};

// An unknown name or values that the network does not take are mistakes in the
// command line.
Result<ExitCode> ServiceFailure(Console& console, const Error& error) {
  if (error.code() != ErrorCode::kInvalidInput) return error;
  console.Error("mete service: " + error.message());
  return ExitCode::kUsage;
}

Result<ExitCode> ServeNetwork(Invocation& invocation, const ServingFlags& flags,
                              const ServiceCommandDependencies& needs) {
  ASSIGN_OR_RETURN(Endpoint listen, ParseListenOnAnyPort(flags.listen));
  PortFile::RemoveStale(flags.port_file);
  auto found = PrepareNetwork({.given = flags.network,
                               .folder = needs.networks_folder,
                               .seed = flags.seed},
                              needs.writer);
  if (!found.ok()) return ServiceFailure(invocation.console, found.error());
  const NetworkToServe& network = *found;
  ASSIGN_OR_RETURN(ServiceRequest request,
                   MakeServiceRequest(flags, network, needs.draw_entropy()));
  ASSIGN_OR_RETURN(Engine * engine, needs.open_engine());
  auto opened = InferenceService::Open(
      request,
      {.engine = *engine, .images = needs.images, .clock = needs.clock});
  if (!opened.ok()) return ServiceFailure(invocation.console, opened.error());
  const std::unique_ptr<InferenceService> service = *std::move(opened);
  ASSIGN_OR_RETURN(auto server, InferenceServer::Start(listen, *service));
  ASSIGN_OR_RETURN(PortFile port_file,
                   PortFile::Write(flags.port_file, server->endpoint().port));
  NameThisProcess(request.name);
  NoteListening(request, server->endpoint(), invocation.console);
  while (needs.clock.SleepFor(std::chrono::hours(24), invocation.stop)) {
  }
  port_file.Remove();
  DrainService(*server, *service, flags, invocation.console);
  return ExitCode::kDone;
}

void AddServingFlags(Command command, ServingFlags& flags) {
  command
      .Option("NETWORK", flags.network,
              "ONNX file, or a network of mete zoo list")
      .Placeholder("NET.onnx|APP")
      .Required();
  command
      .Option("--listen", flags.listen,
              "Address and port, or unix://PATH (default 127.0.0.1:8000; port "
              "0: any free port)")
      .Check(ParseListenOnAnyPort, "ADDR:PORT");
  command.Switch("--insecure", flags.insecure,
                 "Let other machines use the service without authentication");
  command
      .Option("--port-file", flags.port_file,
              "File to write the port to once requests are answered")
      .Placeholder("FILE");
  command
      .Option("--threads", flags.threads,
              "Threads of each inference (default 1)")
      .Within(1, 1024);
  command
      .Option("--workers", flags.workers,
              "Inferences at the same time; each loads the network (default 1)")
      .Within(1, 256);
  command
      .Option("--batch", flags.batch,
              "Items of a generated inference if the request gives no number "
              "(default 1)")
      .Check(ParseBatch, "N");
  command
      .Option("--queue", flags.queue,
              "Requests that may wait; more are refused with 503 (default 256)")
      .Within(1, 65'536);
  command
      .Option("--drain", flags.drain,
              "How long to answer queued requests before ending (default 30s)")
      .Check(ParseDuration, "DURATION");
  command
      .Option("--shape", flags.shapes,
              "Size of an input with open dimensions, for generated data")
      .OneEach()
      .Check(ParseShapeOverride, "NAME=SIZES");
  command
      .Option("--input", flags.inputs,
              "Generated values of an input: a number, zeros, ones or a .npy "
              "file (default: random)")
      .OneEach()
      .Placeholder("NAME=VALUE");
  command
      .Option("--seed", flags.seed,
              "Random seed for weights and generated data (default 0)")
      .Check(ParseCount, "N");
  command
      .Option("--name", flags.name,
              "Name in URLs and metrics (default: that of the network)")
      .Placeholder("NAME");
}

}  // namespace

void AddServiceCommand(Command root, Verbs& verbs,
                       Lazy<ServiceCommandDependencies> dependencies) {
  auto flags = std::make_shared<ServingFlags>();
  Command command = root.Add("service", "Serve one network over HTTP",
                             "mete service tclf-rf --listen 127.0.0.1:8001");
  AddServingFlags(command, *flags);
  auto run = [flags, dependencies](Invocation& invocation) -> Result<ExitCode> {
    ASSIGN_OR_RETURN(Endpoint listen, ParseListenOnAnyPort(flags->listen));
    if (Status open = CheckServiceExposure(listen, flags->insecure);
        !open.ok()) {
      invocation.console.Error("mete service: " + open.error().message());
      return ExitCode::kUsage;
    }
    ASSIGN_OR_RETURN(ServiceCommandDependencies needs, dependencies());
    return ServeNetwork(invocation, *flags, needs);
  };
  verbs.push_back({.command = command, .run = run, .interruptible = true});
}

}  // namespace mete
