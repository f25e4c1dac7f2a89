// mete bench network|load|infer|measure|describe: the processes that mete
// starts inside a device, under limits or for a fresh start. Users do not call
// them. The first two read one request per line from stdin
// (collect/worker_protocol.h).
#include "cli/bench_command.h"

#include <iostream>

#include "cli/network_flags.h"
#include "collect/load_burner.h"
#include "collect/network_worker.h"
#include "flags/version.h"
#include "measure/application_bounds.h"
#include "measure/network_process.h"
#include "measure/network_reply.h"
#include "serve/upload_description.h"
#include "sweep/infer_network.h"

namespace mete {
namespace {

Result<ExitCode> ServeNetworks(const BenchDependencies& dependencies) {
  NetworkWorker worker({.engine = dependencies.open_engine,
                        .host = dependencies.host,
                        .images = dependencies.images,
                        .clock = dependencies.clock});
  worker.Serve(std::cin, std::cout);
  return ExitCode::kDone;
}

Result<ExitCode> Infer(Invocation& invocation, const InferRequest& request,
                       const BenchDependencies& dependencies) {
  ASSIGN_OR_RETURN(Engine * engine, dependencies.open_engine());
  RETURN_IF_ERROR(InferNetwork(request,
                               {.engine = *engine,
                                .images = dependencies.images,
                                .clock = dependencies.clock},
                               invocation.stop));
  return ExitCode::kDone;
}

// The flags of `mete bench measure`.
struct BenchMeasureFlags {
  NetworkFlags network;
  int threads = 1;
  bool has_cpu_quota = false;
  std::optional<std::string> pin;
  std::string result;  // a file; empty: print the result
};

Result<ExitCode> MeasureOne(Invocation& invocation,
                            const BenchMeasureFlags& flags,
                            const BenchDependencies& dependencies) {
  ASSIGN_OR_RETURN(
      MeasureRequest request,
      MakeMeasureRequest(MakeNetworkOptions(flags.network),
                         NetworkDefaultsFrom(invocation.settings)));
  request.threads = flags.threads;
  request.has_cpu_quota = flags.has_cpu_quota;
  request.pin = flags.pin;
  request.mete_version = kVersion;
  const MeasureToFilePorts ports{.open_engine = dependencies.open_engine,
                                 .host = dependencies.host,
                                 .images = dependencies.images,
                                 .clock = dependencies.clock};
  if (flags.result.empty()) {
    invocation.output.PrintText(
        NetworkReply(MeasureTimed(request, ports, invocation.stop)) + "\n");
    return ExitCode::kDone;
  }
  RETURN_IF_ERROR(MeasureToFile(request, ports, flags.result, invocation.stop));
  return ExitCode::kDone;
}

void AddBenchMeasure(Command bench, Verbs& verbs,
                     const Lazy<BenchDependencies>& dependencies) {
  auto flags = std::make_shared<BenchMeasureFlags>();
  Command measure = bench.Add("measure", "Measure a network for mete measure",
                              "mete bench measure net.onnx --result run.json");
  measure.Option("NET.onnx", flags->network.file, "Network file").Required();
  AddNetworkFlags(measure, flags->network);
  measure.Option("--threads", flags->threads, "Engine threads").Within(1, 1024);
  measure.Switch(kCpuQuotaFlag, flags->has_cpu_quota,
                 "Measure for many periods of the CPU quota");
  measure.Option("--pin", flags->pin, "CPUs to run on")
      .Check(ParseCpuset, "CPUS");
  measure
      .Option(kResultFlag, flags->result,
              "File for the run (default: one line on stdout)")
      .Placeholder("FILE");
  verbs.push_back({.command = measure,
                   .run = [=](Invocation& invocation) -> Result<ExitCode> {
                     ASSIGN_OR_RETURN(BenchDependencies needs, dependencies());
                     return MeasureOne(invocation, *flags, needs);
                   },
                   .interruptible = true});
}

// The flags of `mete bench describe`.
struct BenchDescribeFlags {
  std::string file;
  std::string name;
  int64_t batch = 1;
  std::vector<std::string> shapes;
  std::string memory = "2Gi";
  std::string cpu = "30s";
};

Result<ExitCode> DescribeConfined(Invocation& invocation,
                                  const BenchDescribeFlags& flags,
                                  const BenchDependencies& dependencies) {
  DescribeUpload how{.name = flags.name, .batch = flags.batch, .shapes = {}};
  for (const std::string& text : flags.shapes) {
    ASSIGN_OR_RETURN(ShapeOverride shape, ParseShapeOverride(text));
    how.shapes.push_back(std::move(shape));
  }
  Confinement confinement;
  ASSIGN_OR_RETURN(confinement.memory, ParseBytes(flags.memory));
  ASSIGN_OR_RETURN(Seconds cpu, ParseDuration(flags.cpu));
  confinement.cpu = std::chrono::duration_cast<std::chrono::seconds>(cpu);
  RETURN_IF_ERROR(dependencies.confine(confinement));
  invocation.output.PrintText(
      DescribeForParent(flags.file, how, dependencies.reader));
  return ExitCode::kDone;
}

void AddBenchDescribe(Command bench, Verbs& verbs,
                      const Lazy<BenchDependencies>& dependencies) {
  auto flags = std::make_shared<BenchDescribeFlags>();
  Command describe =
      bench.Add("describe", "Describe an uploaded network for mete serve",
                "mete bench describe net.onnx --memory 2Gi --cpu 30s");
  describe.Option("NET.onnx", flags->file, "Network file").Required();
  describe.Option("--name", flags->name, "Name of the network");
  describe.Option("--batch", flags->batch, "Batch size").Within(1, 1'000'000);
  describe.Option("--shape", flags->shapes, "Sizes of an input");
  describe.Option("--memory", flags->memory, "Most memory")
      .Check(ParseBytes, "SIZE");
  describe.Option("--cpu", flags->cpu, "Most CPU time")
      .Check(ParseDuration, "TIME");
  verbs.push_back({.command = describe,
                   .run = [=](Invocation& invocation) -> Result<ExitCode> {
                     ASSIGN_OR_RETURN(BenchDependencies needs, dependencies());
                     return DescribeConfined(invocation, *flags, needs);
                   }});
}

}  // namespace

void AddBenchCommand(Command root, Verbs& verbs,
                     Lazy<BenchDependencies> dependencies) {
  Command bench = root.Add("bench", "Worker processes on a device (internal)",
                           "mete bench network < orders");
  bench.Hide();
  bench.WantsSubcommand();
  Command network = bench.Add("network", "Run networks as requested on stdin",
                              "mete bench network < orders");
  verbs.push_back({.command = network,
                   .run = [dependencies](Invocation&) -> Result<ExitCode> {
                     ASSIGN_OR_RETURN(BenchDependencies needs, dependencies());
                     return ServeNetworks(needs);
                   }});

  auto infer = std::make_shared<InferRequest>();
  auto flags = std::make_shared<NetworkFlags>();
  Command inference = bench.Add("infer", "Run a network and print its times",
                                "mete bench infer net.onnx --iterations 100");
  inference.Option("NET.onnx", flags->file, "Network file").Required();
  inference.Option("--threads", infer->threads, "Engine threads")
      .Within(1, 1024);
  inference.Option("--iterations", infer->iterations, "Inferences")
      .Within(1, 100'000'000);
  AddInputFlags(inference, *flags);
  AddEngineFlags(inference, *flags);
  auto duration = std::make_shared<std::string>("0ms");
  inference.Option("--duration", *duration, "Shortest time of all inferences")
      .Check(ParseDuration, "TIME");
  verbs.push_back(
      {.command = inference,
       .run = [=](Invocation& invocation) -> Result<ExitCode> {
         ASSIGN_OR_RETURN(infer->duration, ParseDuration(*duration));
         ASSIGN_OR_RETURN(MeasureRequest request,
                          MakeMeasureRequest(MakeNetworkOptions(*flags), {}));
         infer->network = flags->file;
         infer->inputs = std::move(request.inputs);
         infer->engine = std::move(request.engine);
         ASSIGN_OR_RETURN(BenchDependencies needs, dependencies());
         return Infer(invocation, *infer, needs);
       }});

  AddBenchMeasure(bench, verbs, dependencies);
  AddBenchDescribe(bench, verbs, dependencies);

  auto cores = std::make_shared<int>(1);
  Command load = bench.Add("load", "Keep cores busy as requested on stdin",
                           "mete bench load --cores 2 < orders");
  load.Option("--cores", *cores, "Cores of the device").Within(1, 4096);
  verbs.push_back({.command = load, .run = [cores](Invocation&) {
                     LoadBurner burner(*cores);
                     burner.Serve(std::cin, std::cout);
                     return Result<ExitCode>(ExitCode::kDone);
                   }});
}

}  // namespace mete
