// Tests that every reference network gives the same scores in libtorch and, as
// an ONNX file, in ONNX Runtime.
#include <gmock/gmock.h>

#include <cmath>
#include <cstdlib>
#include <cstring>

#include "adapters/onnx/graph_writer.h"
#include "adapters/onnxruntime/engine.h"
#include "adapters/torch/inference.h"
#include "adapters/torch/training.h"
#include "support/file.h"
#include "support/random.h"

namespace mete {
namespace {

constexpr int64_t kClasses = 4;

std::vector<float> Noise(size_t count, uint64_t seed) {
  Random random(seed);
  std::vector<float> samples(count);
  for (float& sample : samples) sample = static_cast<float>(random.Normal());
  return samples;
}

// Trains enough to change weights and statistics from their initial values.
SplitWindows SomeWindows() {
  SplitWindows windows;
  for (int64_t label = 0; label < kClasses; ++label) {
    std::vector<float> signal =
        Noise(10 * kWindow, static_cast<uint64_t>(label));
    CutInto(windows, {.signal = signal, .label = label});
  }
  return windows;
}

class TorchNetworks : public testing::TestWithParam<std::string> {
 protected:
  std::vector<float> ScoresInOnnxRuntime(const std::filesystem::path& file,
                                         const std::vector<float>& samples) {
    const char* chosen = std::getenv("METE_ONNXRUNTIME");
    auto engine = OnnxRuntimeEngine::Open(chosen == nullptr ? "" : chosen);
    EXPECT_TRUE(engine.ok()) << engine.error().message();
    auto session = (*engine)->Load({.path = file});
    EXPECT_TRUE(session.ok()) << session.error().message();
    const auto count = static_cast<int64_t>(samples.size()) / kWindow;
    TensorValue input{.name = "input", .sizes = {count, 1, kWindow}};
    input.bytes.resize(samples.size() * sizeof(float));
    std::memcpy(input.bytes.data(), samples.data(), input.bytes.size());
    EXPECT_TRUE((*session)->SetInputs({{input}}).ok());
    Status ran = (*session)->Run();
    EXPECT_TRUE(ran.ok()) << ran.error().message();
    std::vector<TensorValue> outputs = (*session)->Outputs().value();
    std::vector<float> scores(outputs.at(0).bytes.size() / sizeof(float));
    std::memcpy(scores.data(), outputs[0].bytes.data(),
                outputs[0].bytes.size());
    return scores;
  }

  ScratchFolder folder_ = ScratchFolder::Create().value();
};

TEST_P(TorchNetworks, ScoreTheSameInBothEngines) {
  Architecture architecture = FindArchitecture(GetParam(), kClasses).value();
  TrainingResult trained = Train({.architecture = architecture,
                                  .normalisation = Normalisation::kMeanVariance,
                                  .epochs = 2,
                                  .middle_epochs = 1,
                                  .batch = 8,
                                  .checkpoint = folder_.path(),
                                  .settings = "test"},
                                 SomeWindows(), [](const EpochReport&) {})
                               .value();
  const std::filesystem::path file = folder_.path() / "net.onnx";
  TrainedNetwork network = MakeTrainedNetwork(architecture, trained.best);
  Status written = OnnxGraphWriter().Write(network.draft, file);
  ASSERT_TRUE(written.ok()) << written.error().message();
  LoadedNetwork loaded = LoadedNetwork::Open({.architecture = architecture,
                                              .checkpoint = folder_.path()})
                             .value();
  for (size_t batch : {1u, 3u}) {
    std::vector<float> samples = Noise(batch * kWindow, 99);
    std::vector<float> here = loaded.Scores(samples).value();
    std::vector<float> there = ScoresInOnnxRuntime(file, samples);
    ASSERT_EQ(here.size(), batch * kClasses);
    EXPECT_THAT(there, testing::Pointwise(testing::FloatNear(1e-4F), here));
    EXPECT_NE(here[0], here[1]);
  }
}

INSTANTIATE_TEST_SUITE_P(All, TorchNetworks,
                         testing::ValuesIn(ArchitectureNames()),
                         [](const auto& name) { return name.param; });

}  // namespace
}  // namespace mete
