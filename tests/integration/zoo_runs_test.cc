// Tests that the networks of the zoo load and run in ONNX Runtime and return
// values of normal size. Others (e.g. denormals) would distort measurements.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>

#include "adapters/onnx/graph_writer.h"
#include "adapters/onnxruntime/engine.h"
#include "support/file.h"
#include "support/random.h"
#include "zoo/sample.h"
#include "zoo/zoo.h"

namespace mete {
namespace {

// Fills a tensor with what `draw` returns.
template <typename Element, typename Draw>
void Fill(TensorValue& value, Draw draw) {
  std::vector<Element> content(*ElementCount(value.sizes));
  for (Element& x : content) x = static_cast<Element>(draw());
  value.bytes.resize(content.size() * sizeof(Element));
  std::memcpy(value.bytes.data(), content.data(), value.bytes.size());
}

// Returns numbers uniform in [-1, 1), or tokens below 1,000. Unknown sizes
// become `batch`.
TensorValue RandomInput(const GraphValue& input, int64_t batch) {
  TensorValue value{.name = input.name, .type = input.type.type};
  for (const Dimension& axis : *input.type.shape)
    value.sizes.push_back(axis.size.value_or(batch));
  Random random(1);
  if (value.type == ElementType::kInt64) {
    Fill<int64_t>(value, [&] { return random.Below(1000); });
  } else {
    Fill<float>(value, [&] { return 2 * random.Uniform() - 1; });
  }
  return value;
}

// Returns the root mean square; not finite if an element is not.
double Magnitude(const TensorValue& value) {
  const size_t count = value.bytes.size() / sizeof(float);
  double squares = 0;
  for (size_t i = 0; i < count; ++i) {
    float x;
    std::memcpy(&x, value.bytes.data() + i * sizeof(float), sizeof(float));
    squares += static_cast<double>(x) * static_cast<double>(x);
  }
  return std::sqrt(squares / static_cast<double>(count));
}

class NetworkRuns : public testing::Test {
 protected:
  void SetUp() override {
    const char* chosen = std::getenv("METE_ONNXRUNTIME");
    auto engine = OnnxRuntimeEngine::Open(chosen == nullptr ? "" : chosen);
    ASSERT_TRUE(engine.ok()) << engine.error().message();
    engine_ = *std::move(engine);
  }

  void ExpectOrdinaryOutputs(const NetworkDraft& draft) {
    SCOPED_TRACE(draft.graph.name);
    const std::filesystem::path path = folder_.path() / "net.onnx";
    Status written = OnnxGraphWriter().Write(draft, path);
    ASSERT_TRUE(written.ok()) << written.error().message();
    auto session = engine_->Load({.path = path});
    ASSERT_TRUE(session.ok()) << session.error().message();
    for (int64_t batch : {1, 4}) ExpectOrdinaryOutput(**session, batch);
  }

 private:
  static void ExpectOrdinaryOutput(EngineSession& session, int64_t batch) {
    const std::vector<TensorValue> inputs{
        RandomInput(session.inputs().at(0), batch)};
    Status set = session.SetInputs(inputs);
    ASSERT_TRUE(set.ok()) << set.error().message();
    Status run = session.Run();
    ASSERT_TRUE(run.ok()) << run.error().message();
    auto outputs = session.Outputs();
    ASSERT_TRUE(outputs.ok()) << outputs.error().message();
    ASSERT_EQ(outputs->size(), 1u);
    EXPECT_EQ(outputs->at(0).sizes.at(0), batch);
    EXPECT_GT(Magnitude(outputs->at(0)), 0.01);
    EXPECT_LT(Magnitude(outputs->at(0)), 100);
  }

  std::unique_ptr<Engine> engine_;
  ScratchFolder folder_ = *ScratchFolder::Create();
};

class ZooNetworkRuns : public NetworkRuns,
                       public testing::WithParamInterface<std::string> {};

TEST_P(ZooNetworkRuns, AtBatchOneAndFour) {
  ExpectOrdinaryOutputs(*MakeDraft(GetParam(), 0));
}

// Networks of at most 80 MB, to keep the test fast.
std::vector<std::string> SmallNetworks() {
  std::vector<std::string> names;
  for (const ZooEntry& entry : ZooEntries()) {
    if (entry.trainable_parameters < 20'000'000) names.push_back(entry.name);
  }
  return names;
}

INSTANTIATE_TEST_SUITE_P(Small, ZooNetworkRuns,
                         testing::ValuesIn(SmallNetworks()),
                         [](const auto& tested) {
                           std::string name = tested.param;
                           std::erase_if(name,
                                         [](char c) { return !isalnum(c); });
                           return name;
                         });

class SampleRuns : public NetworkRuns,
                   public testing::WithParamInterface<size_t> {};

TEST_P(SampleRuns, AtBatchOneAndFour) {
  ExpectOrdinaryOutputs(SampleDraft(0, GetParam()));
}

INSTANTIATE_TEST_SUITE_P(OneOfEachKind, SampleRuns,
                         testing::Range(size_t{0}, SampleKinds().size()));

}  // namespace
}  // namespace mete
