#include "adapters/onnxruntime/engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>

#include <cstring>
#include <fstream>

#include "support/file.h"
#include "tests/contracts/engine_contract.h"

namespace mete {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::unique_ptr<OnnxRuntimeEngine> OpenEngine() {
  const char* chosen = std::getenv("METE_ONNXRUNTIME");
  auto engine = OnnxRuntimeEngine::Open(chosen == nullptr ? "" : chosen);
  CHECK(engine.ok()) << engine.error().message();
  return *std::move(engine);
}

void AddValue(onnx::ValueInfoProto* value, const std::string& name,
              onnx::TensorProto::DataType type) {
  value->set_name(name);
  auto* tensor = value->mutable_type()->mutable_tensor_type();
  tensor->set_elem_type(type);
  tensor->mutable_shape()->add_dim()->set_dim_param("batch");
  tensor->mutable_shape()->add_dim()->set_dim_value(2);
}

// y = op(op(x)) over batch x 2 elements.
onnx::ModelProto Chain(const std::string& op,
                       onnx::TensorProto::DataType type) {
  onnx::ModelProto network;
  network.set_ir_version(8);
  network.add_opset_import()->set_version(17);
  auto* graph = network.mutable_graph();
  graph->set_name("chain");
  AddValue(graph->add_input(), "x", type);
  AddValue(graph->add_output(), "y", type);
  const char* names[] = {"x", "middle", "y"};
  for (int i = 0; i < 2; ++i) {
    auto* node = graph->add_node();
    node->set_name("step" + std::to_string(i));
    node->set_op_type(op);
    node->add_input(names[i]);
    node->add_output(names[i + 1]);
  }
  return network;
}

// The file of a network in its own folder.
class NetworkFile {
 public:
  explicit NetworkFile(const std::string& content)
      : folder_(*ScratchFolder::Create()), path_(folder_.path() / "net.onnx") {
    std::ofstream(path_, std::ios::binary) << content;
  }
  explicit NetworkFile(const onnx::ModelProto& network)
      : NetworkFile(network.SerializeAsString()) {}

  const std::filesystem::path& path() const { return path_; }

 private:
  ScratchFolder folder_;
  std::filesystem::path path_;
};

NetworkFile SoftsignTwice() {
  return NetworkFile(Chain("Softsign", onnx::TensorProto::FLOAT));
}

TensorValue Floats(std::vector<int64_t> sizes, std::vector<float> content) {
  TensorValue value{.name = "x", .sizes = std::move(sizes)};
  value.bytes.resize(content.size() * sizeof(float));
  std::memcpy(value.bytes.data(), content.data(), value.bytes.size());
  return value;
}

std::vector<float> ToFloats(const TensorValue& value) {
  std::vector<float> content(value.bytes.size() / sizeof(float));
  std::memcpy(content.data(), value.bytes.data(), value.bytes.size());
  return content;
}

EngineSubject MakeSubject() {
  auto file = std::make_shared<NetworkFile>(SoftsignTwice());
  return {.engine = OpenEngine(), .network = file->path(), .owner = file};
}

INSTANTIATE_TEST_SUITE_P(OnnxRuntime, EngineContract,
                         testing::Values(&MakeSubject));

// Softsign is x / (1 + |x|): twice over, 1 becomes 1/3 and -3 becomes -3/7.
TEST(OnnxRuntimeEngine, ComputesTheNetwork) {
  NetworkFile file = SoftsignTwice();
  auto session = OpenEngine()->Load({.path = file.path()});
  ASSERT_TRUE(session.ok()) << session.error().message();
  std::vector<TensorValue> inputs{Floats({1, 2}, {1, -3})};
  ASSERT_TRUE((*session)->SetInputs(inputs).ok());
  ASSERT_TRUE((*session)->Run().ok());
  auto outputs = (*session)->Outputs();
  ASSERT_TRUE(outputs.ok()) << outputs.error().message();
  ASSERT_EQ(outputs->size(), 1u);
  EXPECT_EQ(outputs->at(0).name, "y");
  EXPECT_THAT(outputs->at(0).sizes, ElementsAre(1, 2));
  EXPECT_THAT(
      ToFloats(outputs->at(0)),
      ElementsAre(testing::FloatEq(1.0f / 3), testing::FloatEq(-3.0f / 7)));
}

TEST(OnnxRuntimeEngine, NewInputsMayHaveAnotherBatch) {
  NetworkFile file = SoftsignTwice();
  auto session = OpenEngine()->Load({.path = file.path()});
  ASSERT_TRUE(session.ok()) << session.error().message();
  std::vector<TensorValue> one{Floats({1, 2}, {0, 0})};
  ASSERT_TRUE((*session)->SetInputs(one).ok());
  ASSERT_TRUE((*session)->Run().ok());
  std::vector<TensorValue> two{Floats({2, 2}, {0, 0, 1, 1})};
  ASSERT_TRUE((*session)->SetInputs(two).ok());
  ASSERT_TRUE((*session)->Run().ok());
  EXPECT_THAT((*session)->Outputs()->at(0).sizes, ElementsAre(2, 2));
}

TEST(OnnxRuntimeEngine, ReportsTheNameOfAnOpenSize) {
  NetworkFile file = SoftsignTwice();
  auto session = OpenEngine()->Load({.path = file.path()});
  ASSERT_TRUE(session.ok()) << session.error().message();
  const GraphValue& input = (*session)->inputs().at(0);
  EXPECT_EQ(input.name, "x");
  EXPECT_EQ(input.type.type, ElementType::kFloat);
  EXPECT_EQ(FormatShape(*input.type.shape), "batchx2");
}

// Large enough for the engine to distribute the work over its threads.
TEST(OnnxRuntimeEngine, SeveralThreadsComputeTheSame) {
  NetworkFile file = SoftsignTwice();
  auto session = OpenEngine()->Load({.path = file.path(), .threads = 2});
  ASSERT_TRUE(session.ok()) << session.error().message();
  constexpr size_t kRows = 100000;
  std::vector<TensorValue> inputs{
      Floats({kRows, 2}, std::vector<float>(kRows * 2, 1))};
  ASSERT_TRUE((*session)->SetInputs(inputs).ok());
  ASSERT_TRUE((*session)->Run().ok());
  auto outputs = (*session)->Outputs();
  ASSERT_TRUE(outputs.ok()) << outputs.error().message();
  EXPECT_THAT(ToFloats(outputs->at(0)),
              testing::Each(testing::FloatEq(1.0f / 3)));
}

TEST(OnnxRuntimeEngine, ASessionOutlivesItsEngine) {
  NetworkFile file = SoftsignTwice();
  auto engine = OpenEngine();
  auto session = engine->Load({.path = file.path()});
  engine.reset();
  ASSERT_TRUE(session.ok()) << session.error().message();
  std::vector<TensorValue> inputs{Floats({1, 2}, {0, 0})};
  ASSERT_TRUE((*session)->SetInputs(inputs).ok());
  EXPECT_TRUE((*session)->Run().ok());
}

TEST(OnnxRuntimeEngine, RunsWithEveryOption) {
  NetworkFile file(Chain("Relu", onnx::TensorProto::FLOAT).SerializeAsString());
  auto engine = OpenEngine();
  auto session = engine->Load({.path = file.path(),
                               .threads = 2,
                               .options = {.provider = "cpu",
                                           .optimization = "none",
                                           .inter_op_threads = 2,
                                           .spinning = false,
                                           .memory_arena = false}});
  ASSERT_TRUE(session.ok()) << session.error().message();
  auto missing = engine->Load(
      {.path = file.path(), .options = {.provider = "NoSuchThing"}});
  ASSERT_FALSE(missing.ok());
  EXPECT_THAT(missing.error().message(),
              HasSubstr("no execution provider 'NoSuchThing'; it has"));
}

TEST(OnnxRuntimeEngine, NodeTimesHaveTheNamesOfTheFile) {
  NetworkFile file = SoftsignTwice();
  auto session = OpenEngine()->Load({.path = file.path(), .profile = true});
  ASSERT_TRUE(session.ok()) << session.error().message();
  std::vector<TensorValue> inputs{Floats({1, 2}, {0, 0})};
  ASSERT_TRUE((*session)->SetInputs(inputs).ok());
  ASSERT_TRUE((*session)->Run().ok());
  auto times = (*session)->NodeTimes();
  ASSERT_TRUE(times.ok()) << times.error().message();
  ASSERT_EQ(times->size(), 2u);
  EXPECT_EQ(times->at(0).name, "step0");
  EXPECT_EQ(times->at(0).op, "Softsign");
  EXPECT_EQ(times->at(1).name, "step1");
}

TEST(OnnxRuntimeEngine, AFileThatIsNotANetworkIsCorrupt) {
  NetworkFile file("this is not a network");
  auto session = OpenEngine()->Load({.path = file.path()});
  ASSERT_FALSE(session.ok());
  EXPECT_EQ(session.error().code(), ErrorCode::kCorrupt);
  EXPECT_EQ(
      session.error().message(),
      "read " + file.path().string() + ": not an ONNX network, or truncated");
}

TEST(OnnxRuntimeEngine, NamesAnUnknownOperator) {
  NetworkFile file(Chain("Teleport", onnx::TensorProto::FLOAT));
  auto session = OpenEngine()->Load({.path = file.path()});
  ASSERT_FALSE(session.ok());
  EXPECT_THAT(session.error().message(), HasSubstr("Teleport"));
  EXPECT_EQ(session.error().message().find('\n'), std::string::npos);
}

TEST(OnnxRuntimeEngine, RejectsAFolder) {
  auto session = OpenEngine()->Load({.path = "/"});
  ASSERT_FALSE(session.ok());
  EXPECT_EQ(session.error().message(),
            "read /: is a folder, not a network file");
}

TEST(OnnxRuntimeEngine, StringInputsAreUnsupported) {
  NetworkFile file(Chain("Identity", onnx::TensorProto::STRING));
  auto session = OpenEngine()->Load({.path = file.path()});
  ASSERT_TRUE(session.ok()) << session.error().message();
  std::vector<TensorValue> inputs{
      {.name = "x", .type = ElementType::kString, .sizes = {1, 2}}};
  auto set = (*session)->SetInputs(inputs);
  ASSERT_FALSE(set.ok());
  EXPECT_EQ(set.error().code(), ErrorCode::kUnsupported);
}

TEST(OnnxRuntimeEngine, DoesNotReplaceAMissingOverride) {
  auto engine = OnnxRuntimeEngine::Open("/nowhere/libonnxruntime.so");
  ASSERT_FALSE(engine.ok());
  EXPECT_EQ(engine.error().code(), ErrorCode::kUnavailable);
}

}  // namespace
}  // namespace mete
