#include "adapters/onnx/graph_writer.h"

#include <gtest/gtest.h>
#include <onnx/checker.h>
#include <onnx/onnx_pb.h>
#include <onnx/shape_inference/implementation.h>

#include <cmath>
#include <cstring>

#include "support/file.h"
#include "support/sha256.h"
#include "zoo/applications.h"
#include "zoo/sample.h"
#include "zoo/zoo.h"

namespace mete {
namespace {

std::filesystem::path Written(const NetworkDraft& draft,
                              const ScratchFolder& folder) {
  std::filesystem::path path = folder.path() / "net.onnx";
  Status written = OnnxGraphWriter().Write(draft, path);
  EXPECT_TRUE(written.ok()) << written.error().message();
  return path;
}

std::string WriteDraft(const NetworkDraft& draft) {
  ScratchFolder folder = *ScratchFolder::Create();
  return *ReadFile(Written(draft, folder));
}

onnx::ModelProto Parsed(const NetworkDraft& draft) {
  onnx::ModelProto network;
  EXPECT_TRUE(network.ParseFromString(WriteDraft(draft)));
  return network;
}

// y = x + constant, where the constant is a vector of `size`.
NetworkDraft AddConstant(int64_t size) {
  NetworkDraft draft;
  const ValueType type{ElementType::kFloat, KnownShape({size})};
  draft.graph = {.name = "add",
                 .inputs = {{"x", type}},
                 .outputs = {{"y", type}},
                 .constants = {{.name = "c",
                                .type = ElementType::kFloat,
                                .sizes = {size}}},
                 .nodes = {{.name = "add",
                            .op = "Add",
                            .inputs = {"x", "c"},
                            .outputs = {"y"}}}};
  return draft;
}

std::vector<float> ToFloats(const onnx::TensorProto& tensor) {
  std::vector<float> floats(tensor.raw_data().size() / sizeof(float));
  std::memcpy(floats.data(), tensor.raw_data().data(),
              tensor.raw_data().size());
  return floats;
}

TEST(OnnxGraphWriter, WritesLiteralContent) {
  NetworkDraft draft = AddConstant(2);
  draft.graph.constants[0].reals = {0.5, -3};
  EXPECT_EQ(ToFloats(Parsed(draft).graph().initializer(0)),
            (std::vector<float>{0.5, -3}));
}

TEST(OnnxGraphWriter, WritesBorrowedContentAndRejectsTooLittleOfIt) {
  const std::vector<float> values = {1.5F, -2, 3};
  NetworkDraft draft = AddConstant(3);
  draft.fills["c"] = BorrowedFill{values};
  EXPECT_EQ(ToFloats(Parsed(draft).graph().initializer(0)), values);
  draft.fills["c"] = BorrowedFill{std::span(values).first(2)};
  ScratchFolder folder = *ScratchFolder::Create();
  EXPECT_FALSE(OnnxGraphWriter().Write(draft, folder.path() / "a").ok());
}

TEST(OnnxGraphWriter, RepeatsOneValue) {
  NetworkDraft draft = AddConstant(3);
  draft.fills["c"] = ConstantFill{0.25};
  EXPECT_EQ(ToFloats(Parsed(draft).graph().initializer(0)),
            (std::vector<float>{0.25, 0.25, 0.25}));
}

TEST(OnnxGraphWriter, DrawsUniformWeightsOfTheBoundAndItsVariance) {
  NetworkDraft draft = AddConstant(100'001);
  draft.fills["c"] = UniformFill{0.6};
  double sum = 0, squares = 0;
  for (float x : ToFloats(Parsed(draft).graph().initializer(0))) {
    ASSERT_LE(std::abs(x), 0.6f);
    sum += x;
    squares += x * x;
  }
  EXPECT_NEAR(sum / 100'001, 0, 0.005);
  EXPECT_NEAR(squares / 100'001, 0.12, 0.002);  // 0.6^2 / 3
}

TEST(OnnxGraphWriter, NeighbouringConstantsOfEqualShapeDiffer) {
  NetworkDraft draft = AddConstant(8);
  draft.graph.constants.push_back(draft.graph.constants[0]);
  draft.graph.constants[1].name = "d";
  draft.fills = {{"c", UniformFill{1}}, {"d", UniformFill{1}}};
  onnx::ModelProto network = Parsed(draft);
  EXPECT_NE(network.graph().initializer(0).raw_data(),
            network.graph().initializer(1).raw_data());
}

TEST(OnnxGraphWriter, WritesTheSameBytesAsProtobuf) {
  std::string bytes = WriteDraft(*MakeDraft("lenet5", 0));
  onnx::ModelProto network;
  ASSERT_TRUE(network.ParseFromString(bytes));
  EXPECT_EQ(network.SerializeAsString(), bytes);
}

TEST(OnnxGraphWriter, StatesVersionsAndTheSymbolicBatch) {
  onnx::ModelProto network = Parsed(*MakeDraft("lenet5", 0));
  EXPECT_EQ(network.ir_version(), 8);
  EXPECT_EQ(network.opset_import(0).version(), 17);
  const auto& shape = network.graph().input(0).type().tensor_type().shape();
  EXPECT_EQ(shape.dim(0).dim_param(), "batch");
  EXPECT_EQ(shape.dim(3).dim_value(), 32);
}

TEST(OnnxGraphWriter, WritesEveryKindOfAttribute) {
  NetworkDraft draft = AddConstant(1);
  draft.fills["c"] = ConstantFill{1};
  const Constant tensor{
      .name = "t", .type = ElementType::kInt64, .sizes = {1}, .integers = {7}};
  draft.graph.nodes[0].attributes = {
      {"i", int64_t{3}},
      {"f", 0.5},
      {"s", std::string("text")},
      {"ints", std::vector<int64_t>{1, 2}},
      {"floats", std::vector<double>{0.25}},
      {"strings", std::vector<std::string>{"a", "b"}},
      {"t", tensor},
      {"g", std::vector<Graph>{{.name = "then", .constants = {tensor}}}}};
  onnx::NodeProto node = Parsed(draft).graph().node(0);
  EXPECT_EQ(node.attribute(0).i(), 3);
  EXPECT_EQ(node.attribute(1).f(), 0.5f);
  EXPECT_EQ(node.attribute(2).s(), "text");
  EXPECT_EQ(node.attribute(3).ints(1), 2);
  EXPECT_EQ(node.attribute(4).floats(0), 0.25f);
  EXPECT_EQ(node.attribute(5).strings(1), "b");
  EXPECT_EQ(node.attribute(6).t().raw_data().size(), 8u);
  EXPECT_EQ(node.attribute(7).g().initializer(0).name(), "t");
}

TEST(OnnxGraphWriter, WritesContentOfEveryTypeItKnows) {
  struct Case {
    ElementType type;
    std::vector<int64_t> integers;
    std::string raw;
  };
  for (const Case& one : std::vector<Case>{
           {ElementType::kInt8, {-1, 2}, "\xFF\x02"},
           {ElementType::kUint8, {255, 2}, "\xFF\x02"},
           {ElementType::kBool, {1, 0}, std::string("\x01\x00", 2)},
           {ElementType::kInt32,
            {-2, 1},
            std::string("\xFE\xFF\xFF\xFF\x01\x00\x00\x00", 8)},
           {ElementType::kInt64,
            {-2, 1},
            std::string("\xFE\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01\0\0\0\0\0\0\0",
                        16)}}) {
    NetworkDraft draft = AddConstant(2);
    draft.graph.constants[0].type = one.type;
    draft.graph.constants[0].integers = one.integers;
    const auto network = Parsed(draft);
    EXPECT_EQ(network.graph().initializer(0).raw_data(), one.raw);
    EXPECT_EQ(network.graph().initializer(0).data_type(),
              static_cast<int>(one.type));
    EXPECT_EQ(network.graph().initializer(0).dims(0), 2);
  }
  NetworkDraft draft = AddConstant(1);
  draft.graph.constants[0].type = ElementType::kDouble;
  draft.graph.constants[0].reals = {0.5};
  const std::string raw = Parsed(draft).graph().initializer(0).raw_data();
  ASSERT_EQ(raw.size(), 8u);
  double value = 0;
  std::memcpy(&value, raw.data(), 8);
  EXPECT_EQ(value, 0.5);
}

// Weights are written in blocks of 16,384 elements.
TEST(OnnxGraphWriter, FillsWeightsOfAnyLength) {
  for (int64_t size : {1, 2, 3, 16'383, 16'384, 16'385, 40'001}) {
    NetworkDraft draft = AddConstant(size);
    draft.fills["c"] = ConstantFill{0.25};
    EXPECT_EQ(ToFloats(Parsed(draft).graph().initializer(0)),
              std::vector<float>(static_cast<size_t>(size), 0.25F))
        << size;
    draft.fills["c"] = UniformFill{1};
    const auto floats = ToFloats(Parsed(draft).graph().initializer(0));
    EXPECT_EQ(floats.size(), static_cast<size_t>(size));
    EXPECT_NE(floats.back(), 0) << size;
  }
}

TEST(OnnxGraphWriter, ALongerWeightBeginsLikeAShorterOne) {
  auto drawn = [](int64_t size) {
    NetworkDraft draft = AddConstant(size);
    draft.fills["c"] = UniformFill{1};
    return ToFloats(Parsed(draft).graph().initializer(0));
  };
  const auto few = drawn(5);
  auto many = drawn(20'000);
  many.resize(5);
  EXPECT_EQ(few, many);
  EXPECT_NE(few[0], few[1]);
}

TEST(OnnxGraphWriter, WritesShapesWithAndWithoutNames) {
  NetworkDraft draft = AddConstant(1);
  draft.fills["c"] = ConstantFill{1};
  draft.graph.inputs[0].type.shape = Shape{{.size = 3}, {.symbol = "N"}, {}};
  draft.graph.outputs[0].type.shape.reset();
  draft.graph.values = {{"v", {ElementType::kInt64, KnownShape({2})}}};
  const auto graph = Parsed(draft).graph();
  const auto& shape = graph.input(0).type().tensor_type().shape();
  ASSERT_EQ(shape.dim_size(), 3);
  EXPECT_EQ(shape.dim(0).dim_value(), 3);
  EXPECT_EQ(shape.dim(1).dim_param(), "N");
  EXPECT_FALSE(shape.dim(2).has_dim_value());
  EXPECT_FALSE(shape.dim(2).has_dim_param());
  EXPECT_FALSE(graph.output(0).type().tensor_type().has_shape());
  EXPECT_EQ(graph.value_info(0).name(), "v");
  EXPECT_EQ(graph.value_info(0).type().tensor_type().elem_type(),
            onnx::TensorProto::INT64);
  EXPECT_EQ(graph.node(0).domain(), "");
}

TEST(OnnxGraphWriter, WritesSubgraphsWhole) {
  NetworkDraft draft = AddConstant(1);
  draft.fills["c"] = ConstantFill{1};
  const ValueType type{ElementType::kFloat, KnownShape({1})};
  Graph inner{.name = "inner",
              .inputs = {{"p", type}},
              .outputs = {{"q", type}},
              .values = {{"r", type}},
              .nodes = {{.name = "n",
                         .op = "Op",
                         .domain = "local",
                         .inputs = {"p"},
                         .outputs = {"q"}}}};
  draft.graph.nodes[0].attributes = {
      {"both", std::vector<Graph>{inner, inner}}};
  const auto attribute = Parsed(draft).graph().node(0).attribute(0);
  EXPECT_EQ(attribute.type(), onnx::AttributeProto::GRAPHS);
  ASSERT_EQ(attribute.graphs_size(), 2);
  const auto& graph = attribute.graphs(1);
  EXPECT_EQ(graph.name(), "inner");
  EXPECT_EQ(graph.input(0).name(), "p");
  EXPECT_EQ(graph.output(0).name(), "q");
  EXPECT_EQ(graph.value_info(0).name(), "r");
  EXPECT_EQ(graph.node(0).domain(), "local");
}

// The error for a rejected draft, without the path of the scratch folder.
std::string Refusal(const NetworkDraft& draft) {
  ScratchFolder folder = *ScratchFolder::Create();
  Status written = OnnxGraphWriter().Write(draft, folder.path() / "net.onnx");
  EXPECT_FALSE(written.ok());
  EXPECT_EQ(written.error().code(), ErrorCode::kInvalidInput);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  const std::string& message = written.error().message();
  return message.substr(message.find(": ") + 2);
}

TEST(OnnxGraphWriter, RejectsContentThatDoesNotMatchItsShape) {
  NetworkDraft draft = AddConstant(3);
  draft.graph.constants[0].reals = {1, 2};
  EXPECT_EQ(Refusal(draft), "constant c: content does not match the shape");
}

TEST(OnnxGraphWriter, RejectsAFillWithoutConstant) {
  NetworkDraft draft = AddConstant(1);
  draft.fills = {{"c", ConstantFill{}}, {"bias", ConstantFill{}}};
  EXPECT_EQ(Refusal(draft), "fill bias: no such constant");
}

TEST(OnnxGraphWriter, RejectsAFillOfIntegers) {
  NetworkDraft draft = AddConstant(1);
  draft.graph.constants[0].type = ElementType::kInt64;
  draft.fills = {{"c", UniformFill{1}}};
  EXPECT_EQ(Refusal(draft),
            "constant c: only float32 of a valid shape can be filled");
}

TEST(OnnxGraphWriter, RejectsAnAttributeWithoutValue) {
  NetworkDraft draft = AddConstant(1);
  draft.fills = {{"c", ConstantFill{}}};
  draft.graph.nodes[0].attributes = {{"axis", {}}};
  EXPECT_EQ(Refusal(draft), "node add: attribute axis: has no value");
}

TEST(OnnxGraphWriter, RejectsWhatASubgraphCannotHold) {
  NetworkDraft draft = AddConstant(1);
  draft.fills = {{"c", ConstantFill{}}};
  const Constant empty{.name = "t", .type = ElementType::kInt64, .sizes = {1}};
  for (const Graph& inner :
       {Graph{.name = "a", .constants = {empty}},
        Graph{.name = "b",
        .nodes = {{.name = "n",
                 .op = "Op",
                 .attributes = {{"x", AttributeReference{"y"}}}}}}}) {
    for (bool several : {false, true}) {
      std::vector<Graph> graphs = {inner};
      if (several) graphs.push_back(inner);
      draft.graph.nodes[0].attributes = {{"g", graphs}};
      EXPECT_NE(Refusal(draft).find("node add: "), std::string::npos);
    }
  }
  draft.graph.nodes[0].attributes = {{"t", empty}};
  EXPECT_EQ(Refusal(draft),
            "node add: constant t: content does not match the shape");
}

TEST(OnnxGraphWriter, RejectsContentOfOtherTypes) {
  NetworkDraft draft = AddConstant(1);
  draft.graph.constants[0].type = ElementType::kFloat16;
  draft.graph.constants[0].integers = {1};
  EXPECT_EQ(Refusal(draft),
            "constant c: content of type float16 is not supported");
}

TEST(OnnxGraphWriter, RejectsASingleWeightThatIsTooLarge) {
  // Two gigabytes are 536,870,911 floats; 1 KiB is left for the frame.
  NetworkDraft draft = AddConstant(536'870'656);
  draft.fills = {{"c", UniformFill{1}}};
  EXPECT_EQ(Refusal(draft), "c: exceeds the 2 GiB limit of an ONNX file");
  draft.graph.constants[0].sizes = {536'870'655};
  draft.fills = {{"c", BorrowedFill{}}};
  EXPECT_EQ(Refusal(draft), "constant c: 0 values for 536870655 elements");
  draft.fills = {{"c", UniformFill{1}}};
  draft.graph.constants[0].sizes = {-1};
  EXPECT_EQ(Refusal(draft),
            "constant c: only float32 of a valid shape can be filled");
}

TEST(OnnxGraphWriter, RejectsMoreThanAFileCanHold) {
  NetworkDraft draft = AddConstant(300'000'000);
  draft.graph.constants.push_back(draft.graph.constants[0]);
  draft.graph.constants[1].name = "d";
  draft.fills = {{"c", UniformFill{1}}, {"d", UniformFill{1}}};
  EXPECT_EQ(Refusal(draft), "graph: exceeds the 2 GiB limit of an ONNX file");
}

TEST(OnnxGraphWriter, NamesTheFolderThatIsMissing) {
  Status written =
      OnnxGraphWriter().Write(*MakeDraft("lenet5", 0), "/nonexistent/net.onnx");
  EXPECT_EQ(written.error().message(),
            "write /nonexistent/net.onnx: no such file or directory");
}

TEST(OnnxGraphWriter, WritesTheSameBytesForTheSameSeed) {
  EXPECT_EQ(WriteDraft(*MakeDraft("squeezenet1.1", 3)),
            WriteDraft(*MakeDraft("squeezenet1.1", 3)));
}

TEST(OnnxGraphWriter, WritesOtherBytesForAnotherSeed) {
  EXPECT_NE(WriteDraft(*MakeDraft("lenet5", 3)),
            WriteDraft(*MakeDraft("lenet5", 4)));
}

// Every machine must write exactly this file: predictors identify networks by
// it.
TEST(OnnxGraphWriter, WritesTheSameLeNet5OnEveryMachine) {
  EXPECT_EQ(ComputeSha256(WriteDraft(*MakeDraft("lenet5", 0))),
            "b5ae770e3e83738f8d5e349a7ffdec75dd9a20e02bb7ec5152965c71f62ffc5e");
}

// Turns large weights into inputs: the graph stays valid and the file small.
NetworkDraft WithoutLargeWeights(NetworkDraft draft) {
  std::vector<Constant> small;
  for (Constant& constant : draft.graph.constants) {
    if (*ElementCount(constant.sizes) < 10'000) {
      small.push_back(std::move(constant));
      continue;
    }
    draft.fills.erase(constant.name);
    draft.graph.inputs.push_back(
        {constant.name, {constant.type, KnownShape(constant.sizes)}});
  }
  draft.graph.constants = std::move(small);
  return draft;
}

// The shape of the only output as libonnx infers it from the inputs alone.
std::string InferredOutput(const NetworkDraft& draft) {
  onnx::ModelProto network = Parsed(WithoutLargeWeights(draft));
  onnx::checker::check_model(network);
  auto* output = network.mutable_graph()->mutable_output(0);
  output->mutable_type()->mutable_tensor_type()->clear_shape();
  const onnx::ShapeInferenceOptions strict(true, 1, true);
  onnx::shape_inference::InferShapes(
      network, onnx::OpSchemaRegistry::Instance(), strict);
  Shape shape;
  for (const auto& axis : output->type().tensor_type().shape().dim()) {
    Dimension dimension{.symbol = axis.dim_param()};
    if (axis.has_dim_value()) dimension.size = axis.dim_value();
    shape.push_back(dimension);
  }
  return FormatShape(shape);
}

class ZooNetwork : public testing::TestWithParam<std::string> {};

TEST_P(ZooNetwork, PassesTheCheckerAndInfersTheShapeItStates) {
  NetworkDraft draft = *MakeDraft(GetParam(), 0);
  EXPECT_EQ(InferredOutput(draft),
            FormatShape(*draft.graph.outputs[0].type.shape));
}

INSTANTIATE_TEST_SUITE_P(All, ZooNetwork, testing::ValuesIn(ZooNames()),
                         [](const auto& tested) {
                           std::string name = tested.param;
                           std::erase_if(name,
                                         [](char c) { return !isalnum(c); });
                           return name;
                         });

class ApplicationNetwork : public testing::TestWithParam<std::string> {};

// Some applications join the items of a batch for a while, and inference then
// forgets the name of that axis.
TEST_P(ApplicationNetwork, PassesTheCheckerAndInfersTheSizesItStates) {
  NetworkDraft draft = *MakeDraft(GetParam(), 0);
  const std::string stated = FormatShape(*draft.graph.outputs[0].type.shape);
  const std::string inferred = InferredOutput(draft);
  EXPECT_EQ(inferred.substr(inferred.find('x')),
            stated.substr(stated.find('x')));
}

// onnx knows no shapes of ai.onnx.ml, so the forests are only run (zoo_runs).
std::vector<std::string> ApplicationsWithoutTrees() {
  std::vector<std::string> names = ApplicationNames();
  std::erase_if(names, [](const std::string& name) {
    return name.starts_with("tclf-rf");
  });
  return names;
}

INSTANTIATE_TEST_SUITE_P(All, ApplicationNetwork,
                         testing::ValuesIn(ApplicationsWithoutTrees()),
                         [](const auto& tested) {
                           std::string name = tested.param;
                           std::erase_if(name,
                                         [](char c) { return !isalnum(c); });
                           return name;
                         });

TEST(OnnxGraphWriter, StatesTheOtherOperatorSets) {
  onnx::ModelProto network = Parsed(*MakeDraft("tclf-rf-small", 0));
  ASSERT_EQ(network.opset_import_size(), 2);
  EXPECT_EQ(network.opset_import(1).domain(), "ai.onnx.ml");
  EXPECT_EQ(network.opset_import(1).version(), 3);
  onnx::checker::check_model(network);
}

class SampleNetwork : public testing::TestWithParam<size_t> {};

TEST_P(SampleNetwork, PassesTheCheckerAndInfersTheShapeItStates) {
  NetworkDraft draft = SampleDraft(1, GetParam());
  EXPECT_EQ(InferredOutput(draft),
            FormatShape(*draft.graph.outputs[0].type.shape));
}

INSTANTIATE_TEST_SUITE_P(OneOfEachKind, SampleNetwork,
                         testing::Range(size_t{0}, SampleKinds().size()));

}  // namespace
}  // namespace mete
