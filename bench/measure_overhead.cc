// Measures the overhead of measuring: compares the median of the timed region
// that MeasureNetwork uses for every call (TimedSeries) with that of a bare
// loop over ONNX Runtime's C API, on the same network in the same process.
//
//   measure_overhead [NET.onnx…]     (default: two networks of the zoo)
//
// The two alternate call by call, so other load on the machine affects both
// equally. Both load the network again for every block, so neither keeps a
// favourable memory layout. The ratio of the two medians of a block is one
// observation; the result is the median over all blocks with its 95 % interval.
// PASS: that median is within 1 %. An interval wider than the limit means that
// the machine was too busy for a result.
#include <fmt/format.h>
#include <onnxruntime_c_api.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include "adapters/onnx/graph_writer.h"
#include "adapters/onnxruntime/engine.h"
#include "adapters/onnxruntime/library.h"
#include "measure/input_tensors.h"
#include "measure/timed_series.h"
#include "stats/interval.h"
#include "stats/quantile.h"
#include "support/clock.h"
#include "support/file.h"
#include "zoo/build.h"

namespace mete {
namespace {

constexpr double kLimit = 0.01;
constexpr int kBlocks = 40;
constexpr size_t kWarmup = 20;
// Per block: enough calls for a median accurate to a fraction of a percent.
constexpr double kBlockSeconds = 0.25;
constexpr size_t kFewestCalls = 30;
constexpr size_t kMostCalls = 2000;

class NoImages final : public ImageReader {
 public:
  Result<Picture> Read(const std::filesystem::path&) override {
    return Unsupported("this benchmark reads no images");
  }
  Result<Picture> Resize(const Picture&, int, int) override {
    return Unsupported("this benchmark reads no images");
  }
};

// The baseline: a network loaded and run through the C API only, configured as
// in the adapter (one thread, all optimisations). Aborts with ONNX Runtime's
// message on failure.
class BareSession {
 public:
  // `values` are wrapped, not copied.
  BareSession(const OrtApi& api, OrtEnv* env,
              const std::filesystem::path& network,
              std::vector<TensorValue>& values)
      : api_(api) {
    OrtSessionOptions* options = nullptr;
    Expect(api_.CreateSessionOptions(&options));
    Expect(api_.SetIntraOpNumThreads(options, 1));
    Expect(api_.SetInterOpNumThreads(options, 1));
    Expect(api_.SetSessionExecutionMode(options, ORT_SEQUENTIAL));
    Expect(api_.SetSessionGraphOptimizationLevel(options, ORT_ENABLE_ALL));
    Expect(api_.CreateSession(env, network.c_str(), options, &session_));
    api_.ReleaseSessionOptions(options);
    Expect(api_.GetAllocatorWithDefaultOptions(&allocator_));
    Expect(api_.SessionGetOutputName(session_, 0, allocator_, &output_name_));
    for (TensorValue& value : values) Wrap(value);
  }
  BareSession(const BareSession&) = delete;
  BareSession& operator=(const BareSession&) = delete;
  ~BareSession() {
    for (OrtValue* input : inputs_) api_.ReleaseValue(input);
    Expect(api_.AllocatorFree(allocator_, output_name_));
    api_.ReleaseSession(session_);
  }

  double TimeOne() {
    OrtValue* output = nullptr;
    auto before = clock_.Now();
    OrtStatus* status =
        api_.Run(session_, nullptr, names_.data(), inputs_.data(),
                 inputs_.size(), &output_name_, 1, &output);
    auto after = clock_.Now();
    Expect(status);
    api_.ReleaseValue(output);
    return Seconds(after - before).count();
  }

 private:
  void Expect(OrtStatus* status) {
    CHECK(status == nullptr) << api_.GetErrorMessage(status);
  }

  void Wrap(TensorValue& value) {
    OrtMemoryInfo* memory = nullptr;
    Expect(api_.CreateCpuMemoryInfo(OrtArenaAllocator, OrtMemTypeDefault,
                                    &memory));
    names_.push_back(value.name.c_str());
    inputs_.push_back(nullptr);
    Expect(api_.CreateTensorWithDataAsOrtValue(
        memory, value.bytes.data(), value.bytes.size(), value.sizes.data(),
        value.sizes.size(), static_cast<ONNXTensorElementDataType>(value.type),
        &inputs_.back()));
    api_.ReleaseMemoryInfo(memory);
  }

  const OrtApi& api_;
  SystemClock clock_;
  OrtSession* session_ = nullptr;
  OrtAllocator* allocator_ = nullptr;
  char* output_name_ = nullptr;
  std::vector<const char*> names_;
  std::vector<OrtValue*> inputs_;
};

// One network measured both ways.
class Duel {
 public:
  struct Parts {
    Engine& engine;
    const OrtApi& api;
    OrtEnv* env;
  };

  Duel(std::filesystem::path network, const Parts& parts)
      : network_(std::move(network)), parts_(parts) {
    auto session = Load();
    NoImages images;
    auto feeds = MakeInputs(session->inputs(), {}, images);
    CHECK(feeds.ok()) << feeds.error().message();
    feeds_ = *std::move(feeds);
    values_ = feeds_.feeds.front();
  }

  // Prints the result. Returns whether it is within the limit.
  bool Fight() {
    double latency = Block(kFewestCalls).bare;
    auto calls = static_cast<size_t>(std::clamp(
        kBlockSeconds / latency, double{kFewestCalls}, double{kMostCalls}));
    std::vector<double> ratios;
    for (int block = 0; block < kBlocks; ++block) {
      Medians medians = Block(calls);
      ratios.push_back(medians.ours / medians.bare);
    }
    std::vector<double> sorted = Sorted(ratios);
    double ratio = *QuantileOfSorted(sorted, 0.5);
    auto interval = QuantileInterval(sorted, {});
    bool pass = ratio >= 1 - kLimit && ratio <= 1 + kLimit;
    fmt::print(
        "{}: median {:.1f} us, mete / bare {:.4f} ({:.4f} to {:.4f}, 95 %), "
        "{} blocks of {} calls: {}\n",
        network_.stem().string(), latency * 1e6, ratio, interval->low,
        interval->high, kBlocks, calls, pass ? "PASS" : "FAIL");
    std::fflush(stdout);  // the next network may take minutes
    return pass;
  }

 private:
  struct Medians {
    double ours = 0;
    double bare = 0;
  };

  std::unique_ptr<EngineSession> Load() {
    auto session = parts_.engine.Load({.path = network_});
    CHECK(session.ok()) << session.error().message();
    return *std::move(session);
  }

  Medians Block(size_t calls) {
    auto session = Load();
    TimedSeries ours({.session = *session, .feeds = feeds_, .clock = clock_},
                     kWarmup + calls);
    BareSession rival(parts_.api, parts_.env, network_, values_);
    std::vector<double> bare;
    bare.reserve(kWarmup + calls);
    for (size_t i = 0; i < kWarmup + calls; ++i) {
      if (i % 2 == 0) bare.push_back(rival.TimeOne());
      Status status = ours.TimeOne();
      CHECK(status.ok()) << status.error().message();
      if (i % 2 == 1) bare.push_back(rival.TimeOne());
    }
    auto median = [](std::span<const double> all) {
      return *Quantile(all.subspan(kWarmup), 0.5);
    };
    return {.ours = median(ours.seconds()), .bare = median(bare)};
  }

  std::filesystem::path network_;
  Parts parts_;
  SystemClock clock_;
  InputFeeds feeds_;
  std::vector<TensorValue> values_;
};

// A very fast and a slow network: microseconds and tens of milliseconds.
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
  const OrtApi& api = *opened->api;
  OrtEnv* env = nullptr;
  CHECK(api.CreateEnv(ORT_LOGGING_LEVEL_ERROR, "bare", &env) == nullptr);
  bool pass = true;
  for (const auto& network :
       given.empty() ? BuildNetworks(folder->path()) : given) {
    Duel duel(network, {.engine = **engine, .api = api, .env = env});
    pass = duel.Fight() && pass;
  }
  api.ReleaseEnv(env);
  return pass ? 0 : 1;
}

}  // namespace
}  // namespace mete

int main(int argc, char** argv) { return mete::Main({argv + 1, argv + argc}); }
