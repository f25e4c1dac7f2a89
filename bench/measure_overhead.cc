// What measuring costs: the median that MeasureNetwork reports against that of
// a bare loop over ONNX Runtime's C interface, on the same network in the same
// process.
//
//   measure_overhead [NET.onnx…]     (default: two networks of the zoo)
//
// Both load the network anew for every block, so that neither keeps a lucky
// memory layout, and blocks alternate, so that both see the same machine. The
// ratio of a pair of neighbouring blocks is one observation; the result is the
// median of all pairs with its 95 % interval.
#include <fmt/format.h>
#include <onnxruntime_c_api.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "adapters/onnx/graph_writer.h"
#include "adapters/onnxruntime/engine.h"
#include "adapters/onnxruntime/library.h"
#include "measure/measure_network.h"
#include "stats/interval.h"
#include "stats/quantile.h"
#include "support/file.h"
#include "tests/fakes/fake_host.h"
#include "zoo/build.h"

namespace mete {
namespace {

constexpr double kLimit = 0.01;
constexpr int kPairs = 40;
constexpr size_t kWarmup = 20;
// Per block: enough calls for a median good to a fraction of a percent.
constexpr double kBlockSeconds = 0.25;
constexpr size_t kFewestCalls = 30;
constexpr size_t kMostCalls = 2000;

class NoImages final : public ImageReader {
 public:
  Result<Picture> Read(const std::filesystem::path&) override {
    return Unsupported("no pictures here");
  }
  Result<Picture> Resize(const Picture&, int, int) override {
    return Unsupported("no pictures here");
  }
};

// Ends the program with what ONNX Runtime says: a bench has no other way.
class BareLoop {
 public:
  explicit BareLoop(const OrtApi& api) : api_(api) {
    Expect(api_.CreateEnv(ORT_LOGGING_LEVEL_ERROR, "bare", &env_));
    Expect(api_.CreateCpuMemoryInfo(OrtArenaAllocator, OrtMemTypeDefault,
                                    &memory_));
    Expect(api_.GetAllocatorWithDefaultOptions(&allocator_));
  }
  BareLoop(const BareLoop&) = delete;
  BareLoop& operator=(const BareLoop&) = delete;
  ~BareLoop() {
    api_.ReleaseMemoryInfo(memory_);
    api_.ReleaseEnv(env_);
  }

  // Loads, runs `warmup` calls, then times `calls` of them.
  std::vector<double> Time(const std::filesystem::path& network,
                           std::vector<TensorValue>& values, size_t calls) {
    OrtSession* session = Load(network);
    std::vector<const char*> names;
    std::vector<OrtValue*> inputs;
    for (TensorValue& value : values) {
      names.push_back(value.name.c_str());
      inputs.push_back(Wrap(value));
    }
    char* output_name = nullptr;
    Expect(api_.SessionGetOutputName(session, 0, allocator_, &output_name));
    SystemClock clock;
    std::vector<double> seconds;
    seconds.reserve(calls);
    for (size_t i = 0; i < kWarmup + calls; ++i) {
      OrtValue* output = nullptr;
      auto before = clock.Now();
      OrtStatus* status =
          api_.Run(session, nullptr, names.data(), inputs.data(), inputs.size(),
                   &output_name, 1, &output);
      auto after = clock.Now();
      Expect(status);
      api_.ReleaseValue(output);
      if (i >= kWarmup) seconds.push_back(Seconds(after - before).count());
    }
    for (OrtValue* input : inputs) api_.ReleaseValue(input);
    Expect(api_.AllocatorFree(allocator_, output_name));
    api_.ReleaseSession(session);
    return seconds;
  }

 private:
  void Expect(OrtStatus* status) {
    CHECK(status == nullptr) << api_.GetErrorMessage(status);
  }

  // As the adapter sets it: one thread, all optimisations.
  OrtSession* Load(const std::filesystem::path& network) {
    OrtSessionOptions* options = nullptr;
    Expect(api_.CreateSessionOptions(&options));
    Expect(api_.SetIntraOpNumThreads(options, 1));
    Expect(api_.SetInterOpNumThreads(options, 1));
    Expect(api_.SetSessionExecutionMode(options, ORT_SEQUENTIAL));
    Expect(api_.SetSessionGraphOptimizationLevel(options, ORT_ENABLE_ALL));
    OrtSession* session = nullptr;
    Expect(api_.CreateSession(env_, network.c_str(), options, &session));
    api_.ReleaseSessionOptions(options);
    return session;
  }

  OrtValue* Wrap(TensorValue& value) {
    OrtValue* wrapped = nullptr;
    Expect(api_.CreateTensorWithDataAsOrtValue(
        memory_, value.bytes.data(), value.bytes.size(), value.sizes.data(),
        value.sizes.size(), static_cast<ONNXTensorElementDataType>(value.type),
        &wrapped));
    return wrapped;
  }

  const OrtApi& api_;
  OrtEnv* env_ = nullptr;
  OrtMemoryInfo* memory_ = nullptr;
  OrtAllocator* allocator_ = nullptr;
};

// One network measured both ways.
class Duel {
 public:
  Duel(std::filesystem::path network, Engine& engine, BareLoop& bare)
      : network_(std::move(network)), engine_(engine), bare_(bare) {
    auto session = engine_.Load({.path = network_});
    CHECK(session.ok()) << session.error().message();
    auto feeds = MakeInputs((*session)->inputs(), {}, images_);
    CHECK(feeds.ok()) << feeds.error().message();
    values_ = feeds->feeds.front();
  }

  // Prints the result; whether it is within the limit.
  bool Fight() {
    double latency = Bare(kFewestCalls);
    auto calls = static_cast<size_t>(std::clamp(
        kBlockSeconds / latency, double{kFewestCalls}, double{kMostCalls}));
    std::vector<double> ratios;
    for (int pair = 0; pair < kPairs; ++pair) {
      bool ours_first = pair % 2 == 0;
      double ours = ours_first ? Ours(calls) : 0;
      double bare = Bare(calls);
      if (!ours_first) ours = Ours(calls);
      ratios.push_back(ours / bare);
    }
    std::vector<double> sorted = Sorted(ratios);
    double ratio = *QuantileOfSorted(sorted, 0.5);
    auto interval = QuantileInterval(sorted, {});
    bool pass = ratio >= 1 - kLimit && ratio <= 1 + kLimit;
    fmt::print(
        "{}: median {:.1f} us, mete / bare {:.4f} ({:.4f} to {:.4f}, 95 %), "
        "{} pairs of {} calls: {}\n",
        network_.stem().string(), latency * 1e6, ratio, interval->low,
        interval->high, kPairs, calls, pass ? "PASS" : "FAIL");
    return pass;
  }

 private:
  double Bare(size_t calls) {
    return *Quantile(bare_.Time(network_, values_, calls), 0.5);
  }

  double Ours(size_t calls) {
    auto run = MeasureNetwork(
        {.network = network_,
         .name = "bench",
         .ending = FixedIterations{calls},
         .warmup = kWarmup},
        {.engine = engine_, .host = host_, .images = images_, .clock = clock_},
        [](const MeasureProgress&) {}, {});
    CHECK(run.ok()) << run.error().message();
    return run->latency->p50;
  }

  std::filesystem::path network_;
  Engine& engine_;
  BareLoop& bare_;
  FakeHost host_;
  NoImages images_;
  SystemClock clock_;
  std::vector<TensorValue> values_;
};

// The two ends of what is measured: microseconds and tens of milliseconds.
std::vector<std::filesystem::path> BuildNetworks(
    const std::filesystem::path& folder) {
  OnnxGraphWriter writer;
  auto built = BuildZoo({.folder = folder, .names = {"lenet5", "mobilenet-v2"}},
                        writer, [](const BuildProgress&) {}, {});
  CHECK(built.ok()) << built.error().message();
  std::vector<std::filesystem::path> paths;
  for (const BuiltNetwork& network : *built) paths.push_back(network.path);
  return paths;
}

int Main(const std::vector<std::filesystem::path>& given) {
  const char* override_path = std::getenv("METE_ONNXRUNTIME");
  std::filesystem::path library = override_path ? override_path : "";
  auto engine = OnnxRuntimeEngine::Open(library);
  if (!engine.ok()) {
    fmt::print(stderr, "measure_overhead: {}\n", engine.error().message());
    return 1;
  }
  auto opened = OpenOrtLibrary(OrtLibraryCandidates(library));
  CHECK(opened.ok()) << opened.error().message();
  auto folder = ScratchFolder::Create();
  CHECK(folder.ok()) << folder.error().message();
  BareLoop bare(*opened->api);
  bool pass = true;
  for (const auto& network :
       given.empty() ? BuildNetworks(folder->path()) : given) {
    pass = Duel(network, **engine, bare).Fight() && pass;
  }
  return pass ? 0 : 1;
}

}  // namespace
}  // namespace mete

int main(int argc, char** argv) { return mete::Main({argv + 1, argv + argc}); }
