#include "collect/micro_measurements.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "collect/network_worker.h"
#include "collect/network_worker_client.h"
#include "stats/quantile.h"
#include "zoo/micro_networks.h"

namespace mete {
namespace {

constexpr int kNetworks = 5;
// All networks are timed in three rounds. External disturbances last for
// seconds and can only slow a machine down, so the fastest round counts.
constexpr int kRounds = 3;
// More load than this from other programs is in the times.
constexpr double kMuchLoad = 0.2;
constexpr double kUndisturbed = 0.1;
// The first inferences allocate memory.
constexpr RunOrder kMicroWarmup{
    .at_least = 2, .at_most = 20, .time = Seconds(0.05)};

// File of a micro network and the amount of its work.
struct MicroFile {
  std::filesystem::path path;
  double work = 0;
};

// Loads and times every network in turn, with one thread or with all.
class MicroRound {
 public:
  MicroRound(Testbed& testbed, int threads, double cpus, Seconds each,
             std::stop_token stop)
      : testbed_(testbed),
        network_(testbed),
        threads_(threads),
        cpus_(cpus),
        each_(each),
        stop_(std::move(stop)) {}

  // Work per second.
  Result<double> Rate(const MicroFile& file) {
    ASSIGN_OR_RETURN(
        auto loaded,
        network_.Load({.network = file.path, .threads = threads_}, stop_));
    RETURN_IF_ERROR(Check(file, loaded.outcome));
    ASSIGN_OR_RETURN(auto warm, network_.Run(kMicroWarmup, stop_));
    RETURN_IF_ERROR(Check(file, warm.outcome));
    const TestbedUsage before = testbed_.Usage();
    ASSIGN_OR_RETURN(
        auto timed,
        network_.Run({.at_least = 3, .at_most = 100'000, .time = each_},
                     stop_));
    RETURN_IF_ERROR(Check(file, timed.outcome));
    engine_ = loaded.value->engine;
    return file.work / TypicalSeconds(timed.value->samples,
                                      LoadSince(before, testbed_.Usage()));
  }

  const EngineVersion& engine() const { return engine_; }

 private:
  static Status Check(const MicroFile& file, const RunOutcome& outcome) {
    if (outcome.kind == OutcomeKind::kCompleted) return {};
    bool memory = outcome.kind == OutcomeKind::kOutOfMemory;
    return Unavailable(fmt::format(
        "micro-measurements, {}: {}", file.path.stem().string(),
        memory ? "the device has too little memory" : outcome.detail));
  }

  double LoadSince(const TestbedUsage& before,
                   const TestbedUsage& after) const {
    const double wall = Seconds(after.at - before.at).count();
    if (wall <= 0 || cpus_ <= 0) return 0;
    return (after.others - before.others).count() / wall / cpus_;
  }

  Testbed& testbed_;
  NetworkWorkerClient network_;
  int threads_;
  double cpus_;
  Seconds each_;
  std::stop_token stop_;
  EngineVersion engine_;
};

struct MicroFiles {
  MicroFile gemm;
  MicroFile conv;
  MicroFile depthwise;
  MicroFile elementwise;
  MicroFile chain;
};

Result<MicroFile> Write(const MicroNetwork& network,
                        const std::filesystem::path& folder,
                        GraphWriter& writer) {
  MicroFile file{.path = folder / (network.draft.graph.name + ".onnx"),
                 .work = network.work};
  RETURN_IF_ERROR(writer.Write(network.draft, file.path));
  return file;
}

Result<MicroFiles> WriteAll(const MicroRequest& request,
                            const MicroPorts& ports) {
  ASSIGN_OR_RETURN(std::filesystem::path folder, ports.testbeds.Folder());
  MicroNetworks networks = DraftMicroNetworks(request.memory);
  MicroFiles files;
  ASSIGN_OR_RETURN(files.gemm, Write(networks.gemm, folder, ports.writer));
  ASSIGN_OR_RETURN(files.conv, Write(networks.conv, folder, ports.writer));
  ASSIGN_OR_RETURN(files.depthwise,
                   Write(networks.depthwise, folder, ports.writer));
  ASSIGN_OR_RETURN(files.elementwise,
                   Write(networks.elementwise, folder, ports.writer));
  ASSIGN_OR_RETURN(files.chain, Write(networks.chain, folder, ports.writer));
  return files;
}

Result<EngineSpeed> MeasureSpeed(MicroRound& round, const MicroFiles& files,
                                 int threads) {
  EngineSpeed speed{.threads = threads};
  ASSIGN_OR_RETURN(speed.gemm_flops_per_second, round.Rate(files.gemm));
  ASSIGN_OR_RETURN(speed.conv_flops_per_second, round.Rate(files.conv));
  ASSIGN_OR_RETURN(speed.depthwise_flops_per_second,
                   round.Rate(files.depthwise));
  ASSIGN_OR_RETURN(speed.elementwise_bytes_per_second,
                   round.Rate(files.elementwise));
  ASSIGN_OR_RETURN(double nodes_per_second, round.Rate(files.chain));
  speed.node_seconds = 1 / nodes_per_second;
  return speed;
}

EngineSpeed Fastest(const EngineSpeed& a, const EngineSpeed& b) {
  return {.threads = a.threads,
          .gemm_flops_per_second =
              std::max(a.gemm_flops_per_second, b.gemm_flops_per_second),
          .conv_flops_per_second =
              std::max(a.conv_flops_per_second, b.conv_flops_per_second),
          .depthwise_flops_per_second = std::max(a.depthwise_flops_per_second,
                                                 b.depthwise_flops_per_second),
          .elementwise_bytes_per_second = std::max(
              a.elementwise_bytes_per_second, b.elementwise_bytes_per_second),
          .node_seconds = std::min(a.node_seconds, b.node_seconds)};
}

}  // namespace

double TypicalSeconds(const std::vector<double>& samples, double load) {
  if (load > kMuchLoad) return Quantile(samples, kUndisturbed).value_or(0);
  std::vector<double> means = BlockMeans(samples);
  if (means.size() >= 3) return Quantile(means, 0.5).value_or(0);
  // Under a small quota most inferences run at full speed and one waits.
  // Their median would be that of an unlimited CPU.
  return std::accumulate(samples.begin(), samples.end(), 0.0) /
         static_cast<double>(samples.size());
}

Result<MicroMeasurements> MeasureMicro(Testbed& testbed,
                                       const MicroRequest& request,
                                       const MicroPorts& ports,
                                       std::stop_token stop) {
  ASSIGN_OR_RETURN(MicroFiles files, WriteAll(request, ports));
  std::vector<int> counts = {1};
  if (request.threads > 1) counts.push_back(request.threads);
  MicroMeasurements micro;
  Seconds each = request.time / (2 * kNetworks * kRounds);
  for (int i = 0; i < kRounds; ++i) {
    for (size_t which = 0; which < counts.size(); ++which) {
      MicroRound round(testbed, counts[which], request.cpus, each, stop);
      ASSIGN_OR_RETURN(EngineSpeed speed,
                       MeasureSpeed(round, files, counts[which]));
      if (i == 0) {
        micro.speeds.push_back(speed);
      } else {
        micro.speeds[which] = Fastest(micro.speeds[which], speed);
      }
      micro.engine = round.engine().name + " " + round.engine().version;
    }
  }
  micro.measured_at = ports.clock.Wall();
  return micro;
}

}  // namespace mete
