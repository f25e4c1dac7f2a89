// Compares our reader and shape rules with libonnx's shape inference. Long,
// because it is a table of cases.
#include <gtest/gtest.h>
#include <onnx/shape_inference/implementation.h>

#include <functional>
#include <map>

#include "adapters/onnx/graph_reader_test_network.h"
#include "adapters/onnx/graph_writer.h"
#include "describe/describe.h"
#include "support/file.h"
#include "zoo/zoo.h"

namespace mete {
namespace {

using Shapes = std::map<std::string, Shape>;

// Shapes of all values that libonnx can infer.
Shapes ShapesOfLibonnx(onnx::ModelProto network) {
  onnx::shape_inference::InferShapes(
      network, onnx::OpSchemaRegistry::Instance(),
      {/*check_type=*/true, /*error_mode=*/1, /*data_prop=*/true});
  Shapes shapes;
  auto add = [&](const onnx::ValueInfoProto& value) {
    if (!value.type().tensor_type().has_shape()) return;
    Shape& shape = shapes[value.name()] = {};
    for (const auto& size : value.type().tensor_type().shape().dim()) {
      shape.emplace_back();
      if (size.has_dim_value()) shape.back().size = size.dim_value();
    }
  };
  for (const auto& value : network.graph().output()) add(value);
  for (const auto& value : network.graph().value_info()) add(value);
  return shapes;
}

Shapes OurShapes(const Network& network) {
  Shapes shapes;
  auto described = Describe(network, {});
  EXPECT_TRUE(described.ok()) << described.error().message();
  if (!described.ok()) return shapes;
  for (const GraphValue& output : described->outputs) {
    if (output.type.shape) shapes[output.name] = *output.type.shape;
  }
  return shapes;
}

// Every size that libonnx infers, we infer as the same value.
void ExpectAgreement(const Shapes& theirs, const Shapes& ours) {
  for (const auto& [name, expected] : theirs) {
    auto found = ours.find(name);
    ASSERT_NE(found, ours.end()) << "no shape for " << name;
    ASSERT_EQ(found->second.size(), expected.size())
        << name << ": " << FormatShape(found->second) << " against "
        << FormatShape(expected);
    for (size_t i = 0; i < expected.size(); ++i) {
      if (!expected[i].size) continue;
      EXPECT_EQ(found->second[i].size, expected[i].size)
          << name << ": " << FormatShape(found->second) << " against "
          << FormatShape(expected);
    }
  }
}

struct ShapeCase {
  std::string name;
  std::function<TestNetwork()> make;
};

void PrintTo(const ShapeCase& one, std::ostream* out) { *out << one.name; }

class AgreesWithLibonnx : public testing::TestWithParam<ShapeCase> {};

TEST_P(AgreesWithLibonnx, OnEveryValue) {
  TestNetwork network = GetParam().make();
  auto read = network.Read();
  ASSERT_TRUE(read.ok()) << read.error().message();
  Shapes theirs = ShapesOfLibonnx(network.proto());
  ASSERT_FALSE(theirs.empty()) << "libonnx inferred nothing";
  ExpectAgreement(theirs, OurShapes(*read));
}

constexpr int kInt64 = onnx::TensorProto::INT64;
constexpr int kBool = onnx::TensorProto::BOOL;

// One node on the inputs x, y, … of the given sizes.
TestNetwork One(const std::string& op,
                const std::vector<std::vector<int64_t>>& inputs,
                const std::vector<TestAttribute>& attributes = {},
                int64_t opset = 17) {
  TestNetwork network(opset);
  std::vector<std::string> names;
  for (const auto& sizes : inputs) {
    names.emplace_back(1, static_cast<char>('p' + names.size()));
    network.Input(names.back(), sizes);
  }
  network.Node(op, names, {"out"}, attributes);
  return network;
}

std::vector<ShapeCase> ConvolutionCases() {
  return {
      {"Conv",
       [] {
         return One("Conv", {{1, 3, 224, 224}, {64, 3, 7, 7}},
                    {Ints("strides", {2, 2}), Ints("pads", {3, 3, 3, 3})});
       }},
      {"ConvGroups",
       [] {
         return One("Conv", {{2, 8, 15, 17}, {16, 2, 3, 3}},
                    {Int("group", 4), Ints("dilations", {2, 1})});
       }},
      {"ConvOneAxis",
       [] {
         return One("Conv", {{1, 2, 100}, {4, 2, 9}},
                    {Ints("strides", {3}), Text("auto_pad", "SAME_UPPER")});
       }},
      {"ConvThreeAxes",
       [] {
         return One("Conv", {{1, 2, 9, 10, 11}, {4, 2, 3, 3, 3}},
                    {Text("auto_pad", "VALID")});
       }},
      {"ConvTranspose",
       [] {
         return One(
             "ConvTranspose", {{1, 6, 10, 12}, {6, 2, 3, 4}},
             {Int("group", 2), Ints("strides", {2, 3}),
              Ints("pads", {1, 0, 1, 2}), Ints("output_padding", {1, 1})});
       }},
      {"ConvTransposeSame",
       [] {
         return One("ConvTranspose", {{1, 3, 10, 10}, {3, 5, 3, 3}},
                    {Ints("strides", {2, 2}), Text("auto_pad", "SAME_LOWER")});
       }},
      {"MaxPool",
       [] {
         TestNetwork network;
         network.Input("x", {1, 3, 32, 33});
         network.Node("MaxPool", {"x"}, {"y", "places"},
                      {Ints("kernel_shape", {3, 2}), Ints("strides", {2, 2}),
                       Ints("pads", {1, 0, 0, 1})});
         return network;
       }},
      {"MaxPoolCeil",
       [] {
         return One("MaxPool", {{1, 96, 109, 109}},
                    {Ints("kernel_shape", {3, 3}), Ints("strides", {2, 2}),
                     Int("ceil_mode", 1)});
       }},
      {"MaxPoolDilated",
       [] {
         return One("MaxPool", {{1, 3, 32, 32}},
                    {Ints("kernel_shape", {3, 3}), Ints("dilations", {2, 3})});
       }},
      {"AveragePoolSame",
       [] {
         return One("AveragePool", {{1, 3, 31, 32}},
                    {Ints("kernel_shape", {3, 3}), Ints("strides", {2, 2}),
                     Text("auto_pad", "SAME_UPPER")});
       }},
      {"LpPool",
       [] {
         return One("LpPool", {{1, 3, 32, 32}}, {Ints("kernel_shape", {2, 2})});
       }},
      {"GlobalAveragePool",
       [] {
         return One("GlobalAveragePool", {{2, 3, 7, 7}});
       }},
      {"MaxRoiPool",
       [] {
         return One("MaxRoiPool", {{1, 3, 64, 64}, {5, 5}},
                    {Ints("pooled_shape", {7, 6})});
       }},
      {"ConvInteger",
       [] {
         TestNetwork network;
         network.Input("x", {1, 1, 8, 8}, onnx::TensorProto::UINT8);
         network.Input("w", {2, 1, 3, 3}, onnx::TensorProto::UINT8);
         network.Node("ConvInteger", {"x", "w"}, {"y"});
         return network;
       }},
  };
}

std::vector<ShapeCase> MatrixCases() {
  return {
      {"Gemm",
       [] {
         return One("Gemm", {{5, 3}, {7, 5}, {7}},
                    {Int("transA", 1), Int("transB", 1)});
       }},
      {"MatMul",
       [] {
         return One("MatMul", {{2, 1, 3, 4}, {5, 4, 6}});
       }},
      {"MatMulVectorLeft",
       [] {
         return One("MatMul", {{4}, {5, 4, 6}});
       }},
      {"MatMulVectorRight",
       [] {
         return One("MatMul", {{5, 3, 4}, {4}});
       }},
      {"MatMulVectors",
       [] {
         return One("MatMul", {{4}, {4}});
       }},
      {"MatMulInteger",
       [] {
         TestNetwork network;
         network.Input("a", {2, 3}, onnx::TensorProto::UINT8);
         network.Input("b", {3, 4}, onnx::TensorProto::UINT8);
         network.Node("MatMulInteger", {"a", "b"}, {"y"});
         return network;
       }},
      {"Einsum",
       [] {
         return One("Einsum", {{2, 3, 4}, {2, 4, 5}},
                    {Text("equation", "bij,bjk->bik")});
       }},
      {"Det",
       [] {
         return One("Det", {{2, 3, 3}});
       }},
      {"LSTM",
       [] {
         TestNetwork network;
         network.Input("x", {10, 2, 8});
         network.Weight("w", {2, 64, 8});
         network.Weight("r", {2, 64, 16});
         network.Node(
             "LSTM", {"x", "w", "r"}, {"y", "h", "c"},
             {Int("hidden_size", 16), Text("direction", "bidirectional")});
         return network;
       }},
      {"GRUBatchFirst",
       [] {
         TestNetwork network;
         network.Input("x", {2, 10, 8});
         network.Weight("w", {1, 48, 8});
         network.Weight("r", {1, 48, 16});
         network.Node("GRU", {"x", "w", "r"}, {"y", "h"},
                      {Int("hidden_size", 16), Int("layout", 1)});
         return network;
       }},
      {"RNN",
       [] {
         TestNetwork network;
         network.Input("x", {10, 2, 8});
         network.Weight("w", {1, 16, 8});
         network.Weight("r", {1, 16, 16});
         network.Node("RNN", {"x", "w", "r"}, {"y", "h"},
                      {Int("hidden_size", 16)});
         return network;
       }},
  };
}

std::vector<ShapeCase> ElementwiseCases() {
  return {
      {"Add",
       [] {
         return One("Add", {{2, 1, 4}, {3, 1}});
       }},
      {"Less",
       [] {
         return One("Less", {{2, 1, 4}, {3, 1}});
       }},
      {"Sum",
       [] {
         return One("Sum", {{2, 1}, {3}, {4, 1, 1}});
       }},
      {"PRelu",
       [] {
         return One("PRelu", {{2, 3, 4}, {3, 1}});
       }},
      {"Clip",
       [] {
         return One("Clip", {{2, 3}});
       }},
      {"Where",
       [] {
         TestNetwork network;
         network.Input("c", {3, 1}, kBool);
         network.Input("x", {1, 4});
         network.Input("y", {2, 1, 1});
         network.Node("Where", {"c", "x", "y"}, {"z"});
         return network;
       }},
      {"Cast",
       [] {
         return One("Cast", {{2, 3}}, {Int("to", kInt64)});
       }},
      {"Dropout",
       [] {
         TestNetwork network;
         network.Input("x", {2, 3});
         network.Node("Dropout", {"x"}, {"y", "mask"});
         return network;
       }},
      {"Softmax",
       [] {
         return One("Softmax", {{2, 3}});
       }},
      {"BatchNormalization",
       [] {
         TestNetwork network;
         network.Input("x", {2, 3, 4, 4});
         for (const char* name : {"s", "b", "m", "v"})
           network.Weight(name, {3});
         network.Node("BatchNormalization", {"x", "s", "b", "m", "v"}, {"y"});
         return network;
       }},
      {"LayerNormalization",
       [] {
         TestNetwork network;
         network.Input("x", {2, 5, 8});
         network.Weight("s", {8});
         network.Node("LayerNormalization", {"x", "s"},
                      {"y", "mean", "deviation"});
         return network;
       }},
      {"QuantizeDequantize",
       [] {
         TestNetwork network;
         network.Input("x", {2, 3});
         network.Weight("s", {});
         *network.graph().add_initializer() =
             MakeTensor("z", {}, onnx::TensorProto::INT8, 1);
         network.Node("QuantizeLinear", {"x", "s", "z"}, {"q"});
         network.Node("DequantizeLinear", {"q", "s", "z"}, {"y"});
         return network;
       }},
      {"DynamicQuantizeLinear",
       [] {
         TestNetwork network;
         network.Input("x", {2, 3});
         network.Node("DynamicQuantizeLinear", {"x"}, {"y", "s", "z"});
         return network;
       }},
  };
}

std::vector<ShapeCase> RearrangingCases() {
  return {
      {"Flatten",
       [] {
         return One("Flatten", {{2, 3, 4, 5}}, {Int("axis", 2)});
       }},
      {"FlattenAll",
       [] {
         return One("Flatten", {{2, 3}}, {Int("axis", 0)});
       }},
      {"FlattenFromBehind",
       [] {
         return One("Flatten", {{2, 3, 4}}, {Int("axis", -1)});
       }},
      {"Reshape",
       [] {
         TestNetwork network;
         network.Input("x", {2, 3, 4});
         network.Integers("shape", {0, -1});
         network.Node("Reshape", {"x", "shape"}, {"y"});
         return network;
       }},
      {"Transpose",
       [] {
         return One("Transpose", {{2, 3, 4}}, {Ints("perm", {2, 0, 1})});
       }},
      {"TransposeReversing",
       [] {
         return One("Transpose", {{2, 3, 4}});
       }},
      {"SqueezeAttribute",
       [] {
         return One("Squeeze", {{1, 3, 1, 4}}, {Ints("axes", {0, 2})}, 11);
       }},
      {"SqueezeAll",
       [] {
         return One("Squeeze", {{1, 3, 1, 4}});
       }},
      {"Unsqueeze",
       [] {
         TestNetwork network;
         network.Input("x", {3, 4});
         network.Integers("axes", {0, -1});
         network.Node("Unsqueeze", {"x", "axes"}, {"y"});
         return network;
       }},
      {"Expand",
       [] {
         TestNetwork network;
         network.Input("x", {3, 1});
         network.Integers("shape", {2, 1, 6});
         network.Node("Expand", {"x", "shape"}, {"y"});
         return network;
       }},
      {"Tile",
       [] {
         TestNetwork network;
         network.Input("x", {3, 2});
         network.Integers("times", {2, 5});
         network.Node("Tile", {"x", "times"}, {"y"});
         return network;
       }},
      {"Pad",
       [] {
         TestNetwork network;
         network.Input("x", {1, 3, 8, 8});
         network.Integers("pads", {0, 0, 1, 2, 0, 0, 3, -4});
         network.Node("Pad", {"x", "pads"}, {"y"});
         return network;
       }},
      {"Concat",
       [] {
         return One("Concat", {{2, 3}, {2, 5}}, {Int("axis", -1)});
       }},
      {"SplitEven",
       [] {
         TestNetwork network;
         network.Input("x", {2, 6});
         network.Node("Split", {"x"}, {"a", "b", "c"}, {Int("axis", 1)});
         return network;
       }},
      {"SplitSizes",
       [] {
         TestNetwork network;
         network.Input("x", {2, 6});
         network.Integers("sizes", {1, 5});
         network.Node("Split", {"x", "sizes"}, {"a", "b"}, {Int("axis", 1)});
         return network;
       }},
      {"DepthToSpace",
       [] {
         return One("DepthToSpace", {{1, 12, 4, 5}}, {Int("blocksize", 2)});
       }},
      {"SpaceToDepth",
       [] {
         return One("SpaceToDepth", {{1, 3, 4, 6}}, {Int("blocksize", 2)});
       }},
      {"ResizeScales",
       [] {
         TestNetwork network;
         network.Input("x", {1, 3, 10, 11});
         network.Reals("scales", {1, 1, 2.5F, 1.5F});
         network.Node("Resize", {"x", "", "scales"}, {"y"});
         return network;
       }},
      {"ResizeSizes",
       [] {
         TestNetwork network;
         network.Input("x", {1, 3, 10, 11});
         network.Integers("sizes", {1, 3, 20, 5});
         network.Node("Resize", {"x", "", "", "sizes"}, {"y"});
         return network;
       }},
      {"Upsample",
       [] {
         TestNetwork network(9);
         network.Input("x", {1, 3, 10, 11});
         network.Reals("scales", {1, 1, 2, 2});
         network.Node("Upsample", {"x", "scales"}, {"y"});
         return network;
       }},
      {"GridSample",
       [] {
         return One("GridSample", {{1, 3, 10, 11}, {1, 5, 6, 2}});
       }},
  };
}

std::vector<ShapeCase> IndexingCases() {
  auto slice = [](std::vector<int64_t> starts, std::vector<int64_t> ends,
                  std::vector<int64_t> axes, std::vector<int64_t> steps) {
    TestNetwork network;
    network.Input("x", {20, 10, 5});
    network.Integers("starts", starts).Integers("ends", ends);
    network.Integers("axes", axes).Integers("steps", steps);
    network.Node("Slice", {"x", "starts", "ends", "axes", "steps"}, {"y"});
    return network;
  };
  return {
      {"Slice",
       [=] {
         return slice({1, 2}, {9, 10}, {0, 1}, {2, 3});
       }},
      {"SliceBackwards",
       [=] {
         return slice({-1, 8}, {-1000, 2}, {0, 1}, {-1, -2});
       }},
      {"SliceBeyond", [=] { return slice({0}, {INT64_MAX}, {-1}, {1}); }},
      {"SliceNothing", [=] { return slice({5}, {2}, {0}, {1}); }},
      {"Gather",
       [] {
         TestNetwork network;
         network.Input("x", {5, 4, 3});
         network.Input("i", {2, 6}, kInt64);
         network.Node("Gather", {"x", "i"}, {"y"}, {Int("axis", 1)});
         return network;
       }},
      {"GatherElements",
       [] {
         TestNetwork network;
         network.Input("x", {5, 4});
         network.Input("i", {5, 2}, kInt64);
         network.Node("GatherElements", {"x", "i"}, {"y"}, {Int("axis", 1)});
         return network;
       }},
      {"GatherND",
       [] {
         TestNetwork network;
         network.Input("x", {2, 5, 4});
         network.Input("i", {2, 7, 1}, kInt64);
         network.Node("GatherND", {"x", "i"}, {"y"}, {Int("batch_dims", 1)});
         return network;
       }},
      {"ScatterND",
       [] {
         TestNetwork network;
         network.Input("x", {5, 4});
         network.Input("i", {2, 1}, kInt64);
         network.Input("u", {2, 4});
         network.Node("ScatterND", {"x", "i", "u"}, {"y"});
         return network;
       }},
      {"TopK",
       [] {
         TestNetwork network;
         network.Input("x", {3, 10});
         network.Integers("k", {4});
         network.Node("TopK", {"x", "k"}, {"values", "places"});
         return network;
       }},
      {"NonZero",
       [] {
         return One("NonZero", {{3, 4}});
       }},
      {"OneHot",
       [] {
         TestNetwork network;
         network.Input("i", {2, 3}, kInt64);
         network.Scalar("depth", 7);
         network.Weight("values", {2});
         network.Node("OneHot", {"i", "depth", "values"}, {"y"},
                      {Int("axis", 1)});
         return network;
       }},
  };
}

std::vector<ShapeCase> ReductionCases() {
  return {
      {"ReduceMean",
       [] {
         return One("ReduceMean", {{2, 3, 4}},
                    {Ints("axes", {1, -1}), Int("keepdims", 0)});
       }},
      {"ReduceMax",
       [] {
         return One("ReduceMax", {{2, 3, 4}});
       }},
      {"ReduceSum",
       [] {
         TestNetwork network;
         network.Input("x", {2, 3, 4});
         network.Integers("axes", {-2});
         network.Node("ReduceSum", {"x", "axes"}, {"y"});
         return network;
       }},
      {"ReduceSumNothing",
       [] {
         return One("ReduceSum", {{2, 3}}, {Int("noop_with_empty_axes", 1)});
       }},
      {"ArgMax",
       [] {
         return One("ArgMax", {{2, 3, 4}},
                    {Int("axis", 1), Int("keepdims", 0)});
       }},
      {"CumSum",
       [] {
         TestNetwork network;
         network.Input("x", {2, 3});
         network.Scalar("axis", 1);
         network.Node("CumSum", {"x", "axis"}, {"y"});
         return network;
       }},
  };
}

// The shape arithmetic that exporters leave in graphs.
std::vector<ShapeCase> ArithmeticCases() {
  return {
      {"FlattenByShape",
       [] {
         TestNetwork network;
         network.Input("x", {2, 3, 4, 5});
         network.Scalar("zero", 0).Integers("axis", {0});
         network.Integers("rest", {-1});
         network.Node("Shape", {"x"}, {"shape"});
         network.Node("Gather", {"shape", "zero"}, {"batch"});
         network.Node("Unsqueeze", {"batch", "axis"}, {"first"});
         network.Node("Concat", {"first", "rest"}, {"target"},
                      {Int("axis", 0)});
         network.Node("Reshape", {"x", "target"}, {"y"});
         return network;
       }},
      {"ShapeOfSomeAxes",
       [] {
         return One("Shape", {{2, 3, 4, 5}}, {Int("start", 1), Int("end", -1)});
       }},
      {"ConstantOfShape",
       [] {
         TestNetwork network;
         network.Integers("shape", {2, 3});
         network.Input("unused", {1});
         network.Node("ConstantOfShape", {"shape"}, {"y"});
         return network;
       }},
      {"Range",
       [] {
         TestNetwork network;
         network.Scalar("from", 2).Scalar("to", 11).Scalar("step", 3);
         network.Input("unused", {1});
         network.Node("Range", {"from", "to", "step"}, {"y"});
         return network;
       }},
      {"SliceOfShape",
       [] {
         TestNetwork network;
         network.Input("x", {2, 3, 4, 5});
         network.Integers("one", {1}).Integers("three", {3});
         network.Integers("axis", {0});
         network.Node("Shape", {"x"}, {"shape"});
         network.Node("Slice", {"shape", "one", "three", "axis"}, {"middle"});
         network.Node("ConstantOfShape", {"middle"}, {"y"});
         return network;
       }},
  };
}

std::vector<ShapeCase> AllCases() {
  std::vector<ShapeCase> all;
  for (auto cases : {ConvolutionCases(), MatrixCases(), ElementwiseCases(),
                     RearrangingCases(), IndexingCases(), ReductionCases(),
                     ArithmeticCases()}) {
    all.insert(all.end(), cases.begin(), cases.end());
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Operators, AgreesWithLibonnx,
                         testing::ValuesIn(AllCases()),
                         [](const auto& tested) { return tested.param.name; });

class ZooAgreesWithLibonnx : public testing::TestWithParam<std::string> {};

TEST_P(ZooAgreesWithLibonnx, OnEveryValue) {
  ScratchFolder folder = *ScratchFolder::Create();
  std::filesystem::path path = folder.path() / "net.onnx";
  ASSERT_TRUE(OnnxGraphWriter().Write(*MakeDraft(GetParam(), 1), path).ok());
  onnx::ModelProto network;
  ASSERT_TRUE(network.ParseFromString(*ReadFile(path)));
  // Choose the batch size here, because libonnx has no default.
  for (auto& input : *network.mutable_graph()->mutable_input()) {
    auto* shape = input.mutable_type()->mutable_tensor_type()->mutable_shape();
    if (!shape->dim(0).has_dim_value()) {
      shape->mutable_dim(0)->set_dim_value(1);
    }
  }
  // Make every value an output, and remove the shapes stated in the file.
  network.mutable_graph()->clear_value_info();
  network.mutable_graph()->clear_output();
  for (const auto& node : network.graph().node()) {
    for (const auto& output : node.output()) {
      if (!output.empty()) {
        network.mutable_graph()->add_output()->set_name(output);
      }
    }
  }
  std::string bytes = network.SerializeAsString();
  auto read = OnnxGraphReader::ReadBytes(std::as_bytes(std::span(bytes)));
  ASSERT_TRUE(read.ok()) << read.error().message();
  ExpectAgreement(ShapesOfLibonnx(network), OurShapes(*read));
}

INSTANTIATE_TEST_SUITE_P(Networks, ZooAgreesWithLibonnx,
                         testing::Values("lenet5", "squeezenet1.1",
                                         "mobilenet-v2", "efficientnet-b0",
                                         "cnn1d", "lstm", "gru"),
                         [](const auto& tested) {
                           std::string name = tested.param;
                           std::erase_if(
                               name, [](char c) { return !std::isalnum(c); });
                           return name;
                         });

}  // namespace
}  // namespace mete
