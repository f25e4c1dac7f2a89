// Corners of the format that few files have.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "adapters/onnx/graph_reader.h"
#include "adapters/onnx/graph_reader_content.h"
#include "adapters/onnx/graph_reader_test_network.h"

namespace mete {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using TensorMessage = onnx::TensorProto;

std::string Complaint(const TestNetwork& network) {
  auto read = network.Read();
  return read.ok() ? "" : read.error().message();
}

TestNetwork Plain() {
  TestNetwork network;
  network.Input("x", {1, 4}).Node("Relu", {"x"}, {"y"});
  return network;
}

// An initializer "w" of these sizes, without content.
TensorMessage& AddConstant(TestNetwork& network, int type,
                           const std::vector<int64_t>& sizes) {
  TensorMessage& tensor = *network.graph().add_initializer();
  tensor.set_name("w");
  tensor.set_data_type(type);
  for (int64_t size : sizes) tensor.add_dims(size);
  return tensor;
}

Constant ReadBack(const TestNetwork& network) {
  auto read = network.Read();
  EXPECT_TRUE(read.ok()) << read.error().message();
  return read.ok() ? read->graph.constants.at(0) : Constant{};
}

TEST(TensorContent, ManyNumbersAreCountedButNotKept) {
  constexpr auto kMost = static_cast<int>(Constant::kKeptElements);
  for (int count : {kMost, kMost + 1}) {
    for (int type : {TensorMessage::FLOAT, TensorMessage::DOUBLE,
                     TensorMessage::INT64, TensorMessage::INT32}) {
      TestNetwork network = Plain();
      TensorMessage& tensor = AddConstant(network, type, {count});
      for (int i = 0; i < count; ++i) {
        if (type == TensorMessage::FLOAT) tensor.add_float_data(2);
        if (type == TensorMessage::DOUBLE) tensor.add_double_data(2);
        if (type == TensorMessage::INT64) tensor.add_int64_data(300);
        if (type == TensorMessage::INT32) tensor.add_int32_data(-1);
      }
      const Constant constant = ReadBack(network);
      const bool wide =
          type == TensorMessage::DOUBLE || type == TensorMessage::INT64;
      EXPECT_EQ(constant.stored_bytes,
                static_cast<uint64_t>(count) * (wide ? 8 : 4));
      const size_t kept = constant.reals.size() + constant.integers.size();
      EXPECT_EQ(kept, count == kMost ? static_cast<size_t>(count) : 0u);
      tensor.set_dims(0, count + 1);
      EXPECT_THAT(Complaint(network),
                  HasSubstr(std::to_string(count) + " numbers"));
    }
  }
}

TEST(TensorContent, ComplexNumbersHaveTwoParts) {
  TestNetwork network = Plain();
  TensorMessage& tensor = AddConstant(network, TensorMessage::COMPLEX64, {2});
  for (float part : {1.0F, 2.0F, 3.0F, 4.0F}) tensor.add_float_data(part);
  EXPECT_EQ(ReadBack(network).stored_bytes, 16u);
  tensor.add_float_data(5);
  EXPECT_THAT(Complaint(network), HasSubstr("5 numbers"));

  network = Plain();
  TensorMessage& wide = AddConstant(network, TensorMessage::COMPLEX128, {1});
  wide.add_double_data(1);
  EXPECT_THAT(Complaint(network), HasSubstr("1 number"));
  wide.add_double_data(1);
  EXPECT_EQ(ReadBack(network).stored_bytes, 16u);
}

TEST(TensorContent, SmallTypesAreKeptInIntegers) {
  struct Case {
    int type;
    std::vector<int> stored;
    std::vector<int64_t> read;
    uint64_t bytes;
  };
  for (const Case& one :
       std::vector<Case>{{TensorMessage::INT16, {-2, 32767}, {-2, 32767}, 4},
                         {TensorMessage::UINT16, {65535, 0}, {65535, 0}, 4},
                         {TensorMessage::INT8, {-128, 127}, {-128, 127}, 2},
                         {TensorMessage::BOOL, {1, 0}, {1, 0}, 2}}) {
    TestNetwork network = Plain();
    TensorMessage& tensor = AddConstant(network, one.type, {2});
    for (int value : one.stored) tensor.add_int32_data(value);
    const Constant constant = ReadBack(network);
    EXPECT_EQ(constant.integers, one.read) << one.type;
    EXPECT_EQ(constant.stored_bytes, one.bytes) << one.type;
  }
  // Halves have no integer value.
  TestNetwork network = Plain();
  TensorMessage& half = AddConstant(network, TensorMessage::FLOAT16, {1});
  half.add_int32_data(0x3C00);
  const Constant constant = ReadBack(network);
  EXPECT_THAT(constant.integers, IsEmpty());
  EXPECT_THAT(constant.reals, IsEmpty());
  EXPECT_EQ(constant.stored_bytes, 2u);
}

TEST(TensorContent, FourBitNumbersShareABytes) {
  for (int count : {1, 2, 3}) {
    TestNetwork network = Plain();
    TensorMessage& tensor = AddConstant(network, 21, {count});  // UINT4
    for (int i = 0; i < (count + 1) / 2; ++i) tensor.add_int32_data(0x21);
    EXPECT_EQ(Complaint(network), "") << count;
    tensor.add_int32_data(0);
    EXPECT_NE(Complaint(network), "") << count;
  }
}

TEST(TensorContent, UnsignedNumbersUseTheirOwnField) {
  TestNetwork network = Plain();
  TensorMessage& tensor = AddConstant(network, TensorMessage::UINT32, {2});
  tensor.add_uint64_data(4294967295u);
  tensor.add_uint64_data(7);
  EXPECT_THAT(ReadBack(network).integers, ElementsAre(4294967295, 7));
  tensor.clear_uint64_data();
  tensor.add_int32_data(1);  // the field of other types
  tensor.add_int32_data(1);
  EXPECT_THAT(Complaint(network), HasSubstr("0 numbers"));
}

TEST(TensorContent, RawBytesAreLittleEndian) {
  TestNetwork network = Plain();
  TensorMessage& tensor = AddConstant(network, TensorMessage::INT32, {2});
  tensor.set_raw_data(std::string("\x01\x02\x00\x00\xFE\xFF\xFF\xFF", 8));
  EXPECT_THAT(ReadBack(network).integers, ElementsAre(513, -2));
  tensor.set_data_type(TensorMessage::FLOAT);
  tensor.set_raw_data(std::string("\x00\x00\x80\x3F\x00\x00\x00\xC0", 8));
  EXPECT_THAT(ReadBack(network).reals, ElementsAre(1, -2));
}

TEST(TensorContent, AnEmptyRawFieldBesideNumbersIsIgnored) {
  TestNetwork network = Plain();
  TensorMessage& tensor = AddConstant(network, TensorMessage::FLOAT, {1});
  tensor.set_raw_data("");
  tensor.add_float_data(2.5F);
  EXPECT_THAT(ReadBack(network).reals, ElementsAre(2.5));
}

TEST(TensorContent, StringsCannotBeRaw) {
  TestNetwork network = Plain();
  AddConstant(network, TensorMessage::STRING, {1}).set_raw_data("x");
  EXPECT_THAT(Complaint(network), HasSubstr("it stores strings as raw bytes"));
}

TEST(TensorContent, NewerTypesHaveNoSize) {
  TestNetwork network = Plain();
  TensorMessage& tensor = AddConstant(network, 26, {3});
  tensor.set_raw_data("1234567");
  const Constant constant = ReadBack(network);
  EXPECT_EQ(constant.type, ElementType::kUndefined);
  EXPECT_EQ(constant.stored_bytes, 7u);
  tensor.clear_raw_data();
  EXPECT_EQ(Complaint(network), "");
  tensor.set_data_type(27);
  EXPECT_THAT(Complaint(network), HasSubstr("unknown element type 27"));
}

TEST(TensorContent, AScalarHasOneElement) {
  TestNetwork network = Plain();
  TensorMessage& tensor = AddConstant(network, TensorMessage::INT64, {});
  EXPECT_THAT(Complaint(network), HasSubstr("0 numbers"));
  tensor.add_int64_data(5);
  EXPECT_THAT(ReadBack(network).integers, ElementsAre(5));
}

TEST(TensorContent, RanksAreLimited) {
  TestNetwork network = Plain();
  TensorMessage& tensor =
      AddConstant(network, TensorMessage::INT64, std::vector<int64_t>(64, 1));
  tensor.add_int64_data(1);
  EXPECT_EQ(ReadBack(network).sizes.size(), 64u);
  tensor.add_dims(1);
  EXPECT_THAT(Complaint(network), HasSubstr("too many axes"));
}

TEST(TensorContent, ConstantsNeedNames) {
  TestNetwork network = Plain();
  AddConstant(network, TensorMessage::FLOAT, {0}).clear_name();
  EXPECT_THAT(Complaint(network), HasSubstr("an initializer has no name"));
}

// Weights in quantized files are sparse at times.
TEST(SparseTensor, SumsBothParts) {
  TestNetwork network = Plain();
  auto* sparse = network.graph().add_sparse_initializer();
  *sparse->mutable_values() = MakeTensor("s", {2});
  *sparse->mutable_indices() = MakeIntegers("", {1, 5});
  sparse->add_dims(4);
  sparse->add_dims(5);
  const Constant constant = ReadBack(network);
  EXPECT_EQ(constant.name, "s");
  EXPECT_THAT(constant.sizes, ElementsAre(4, 5));
  EXPECT_EQ(constant.type, ElementType::kFloat);
  EXPECT_EQ(constant.stored_bytes, 8u + 16);
  EXPECT_TRUE(constant.sparse);
  sparse->set_dims(1, -5);
  EXPECT_THAT(Complaint(network), HasSubstr("the negative size -5"));
  sparse->set_dims(1, 5);
  sparse->mutable_values()->clear_raw_data();
  EXPECT_NE(Complaint(network), "");
}

TEST(ValueTypes, UnknownSizesAndSymbols) {
  TestNetwork network;
  network.Input("x", {-1, 3, -1}).Node("Relu", {"x"}, {"y"});
  auto* shape = network.graph()
                    .mutable_input(0)
                    ->mutable_type()
                    ->mutable_tensor_type()
                    ->mutable_shape();
  shape->mutable_dim(0)->set_dim_param("batch");
  auto read = network.Read();
  ASSERT_TRUE(read.ok());
  const Shape& sizes = *read->graph.inputs[0].type.shape;
  ASSERT_EQ(sizes.size(), 3u);
  EXPECT_EQ(sizes[0].symbol, "batch");
  EXPECT_FALSE(sizes[0].size);
  EXPECT_EQ(sizes[1].size, 3);
  EXPECT_EQ(sizes[1].symbol, "");
  EXPECT_FALSE(sizes[2].size);
  EXPECT_EQ(sizes[2].symbol, "");
}

TEST(ValueTypes, ShapesHaveALimitedRankAndAPlausibleSize) {
  TestNetwork network;
  network.Input("x", std::vector<int64_t>(64, 1)).Node("Relu", {"x"}, {"y"});
  EXPECT_EQ(Complaint(network), "");
  auto* shape = network.graph()
                    .mutable_input(0)
                    ->mutable_type()
                    ->mutable_tensor_type()
                    ->mutable_shape();
  shape->add_dim()->set_dim_value(1);
  EXPECT_THAT(Complaint(network), HasSubstr("too many axes"));
  shape->clear_dim();
  shape->add_dim()->set_dim_value(INT64_MAX);
  shape->add_dim()->set_dim_value(8);
  EXPECT_THAT(Complaint(network), HasSubstr("is implausible"));
  shape->mutable_dim(1)->set_dim_value(0);
  EXPECT_EQ(Complaint(network), "");
}

TEST(ValueTypes, UnknownElementTypesKeepTheirShape) {
  for (int type : {999, 1000, -1, 25}) {
    TestNetwork network;
    network.Input("x", {2}, type).Node("Relu", {"x"}, {"y"});
    auto read = network.Read();
    ASSERT_TRUE(read.ok()) << read.error().message();
    EXPECT_EQ(read->graph.inputs[0].type.type, ElementType::kUndefined);
    EXPECT_EQ(FormatShape(*read->graph.inputs[0].type.shape), "2");
  }
  TestNetwork network;
  network.Input("x", {2}, TensorMessage::STRING).Node("Any", {"x"}, {"y"});
  EXPECT_EQ(network.Read()->graph.inputs[0].type.type, ElementType::kString);
}

TEST(ValueTypes, OtherTypesThanTensorsHaveNoShape) {
  TestNetwork network = Plain();
  auto* input = network.graph().add_input();
  input->set_name("list");
  input->mutable_type()->mutable_sequence_type();
  network.graph().add_input()->set_name("untyped");
  auto read = network.Read();
  ASSERT_TRUE(read.ok()) << read.error().message();
  ASSERT_EQ(read->graph.inputs.size(), 3u);
  EXPECT_FALSE(read->graph.inputs[1].type.shape);
  EXPECT_FALSE(read->graph.inputs[2].type.shape);
  network.graph().add_input();
  EXPECT_THAT(Complaint(network), HasSubstr("a value has no name"));
}

TEST(Nodes, NeedAnOperator) {
  TestNetwork network = Plain();
  network.graph().mutable_node(0)->clear_op_type();
  EXPECT_THAT(Complaint(network), HasSubstr("a node has no operator"));
}

TEST(Nodes, AreNamedInErrorsOfTheirAttributes) {
  TestNetwork network = Plain();
  network.graph().mutable_node(0)->add_attribute()->set_i(1);
  EXPECT_THAT(Complaint(network), HasSubstr("node 'Relu_1': an attribute"));
  network.graph().mutable_node(0)->clear_name();
  EXPECT_THAT(Complaint(network), HasSubstr("a node: an attribute"));
}

TEST(Nodes, OutputsWithoutANameAreUnused) {
  TestNetwork network;
  network.Input("x", {1, 3, 8, 8});
  network.Node("Dropout", {"x"}, {"y", ""}).Node("Dropout", {"y"}, {"z", ""});
  EXPECT_EQ(Complaint(network), "");
}

TEST(Nodes, ReadyOnesKeepTheirOrder) {
  TestNetwork network;
  network.Input("x", {4});
  network.Node("Abs", {"x"}, {"a"}).Node("Add", {"b", "a"}, {"c"});
  network.Node("Neg", {"x"}, {"b"}).Node("Relu", {"x"}, {"d"});
  auto read = network.Read();
  ASSERT_TRUE(read.ok());
  std::vector<std::string> order;
  for (const Node& node : read->graph.nodes) order.push_back(node.op);
  EXPECT_THAT(order, ElementsAre("Abs", "Neg", "Add", "Relu"));
}

TEST(Nodes, OfACycleAreFoundBehindOthersThatWait) {
  TestNetwork network;
  network.Input("x", {4});
  network.Node("Relu", {"b"}, {"r"});  // waits for the cycle
  network.Node("Add", {"x", "c"}, {"b"}).Node("Neg", {"b"}, {"c"});
  const std::string why = Complaint(network);
  EXPECT_THAT(why, HasSubstr("the graph has a cycle through node '"));
  EXPECT_THAT(why, testing::Not(HasSubstr("Relu")));
}

TEST(Graphs, OutputsMustBeProduced) {
  TestNetwork network = Plain();
  network.graph().add_output()->set_name("ghost");
  EXPECT_EQ(Complaint(network), "nothing produces the output 'ghost'");
}

TEST(Graphs, InputsAreProducersToo) {
  TestNetwork network = Plain();
  network.Node("Abs", {"y"}, {"x"});
  EXPECT_EQ(Complaint(network), "value 'x' is produced twice");
  network = Plain();
  network.Weight("w", {1}).Node("Abs", {"y"}, {"w"});
  EXPECT_EQ(Complaint(network), "value 'w' is produced twice");
}

TEST(Graphs, OfAnAttributeAreCheckedThemselves) {
  onnx::GraphProto branch;
  TestNetwork::AddNode("Abs", {"x"}, {"b"}, {}, branch);
  TestNetwork::AddNode("Neg", {"x"}, {"b"}, {}, branch);
  branch.add_output()->set_name("b");
  TestNetwork network;
  network.Input("x", {4}).Input("c", {}, TensorMessage::BOOL);
  network.Node("If", {"c"}, {"y"}, {Subgraph("then_branch", branch)});
  EXPECT_EQ(Complaint(network),
            "node 'If_1' (If): value 'b' is produced twice");
}

TEST(Graphs, MayBeNestedThirtyTwoDeep) {
  auto nested = [](int depth) {
    onnx::GraphProto graph;
    TestNetwork::AddNode("Abs", {"x"}, {"b"}, {}, graph);
    graph.add_output()->set_name("b");
    for (int i = 1; i < depth; ++i) {
      onnx::GraphProto outer;
      TestNetwork::AddNode("If", {"c"}, {"b"}, {Subgraph("g", graph)}, outer);
      outer.add_output()->set_name("b");
      graph = outer;
    }
    TestNetwork network;
    network.Input("x", {4}).Input("c", {}, TensorMessage::BOOL);
    network.Node("If", {"c"}, {"y"}, {Subgraph("g", graph)});
    return Complaint(network);
  };
  EXPECT_EQ(nested(31), "");  // and the outermost graph
  EXPECT_THAT(nested(32), HasSubstr("nested deeper than 32"));
}

onnx::FunctionProto& AddFunction(TestNetwork& network) {
  auto* function = network.proto().add_functions();
  function->set_name("twice");
  function->set_domain("local");
  function->add_input("p");
  function->add_output("q");
  auto* node = function->add_node();
  node->set_op_type("Add");
  node->add_input("p");
  node->add_input("p");
  node->add_output("q");
  return *function;
}

TEST(Functions, AreReadWithTheirReferences) {
  TestNetwork network = Plain();
  onnx::FunctionProto& function = AddFunction(network);
  auto* given = function.mutable_node(0)->add_attribute();
  given->set_name("beta");
  given->set_ref_attr_name("alpha");
  auto read = network.Read();
  ASSERT_TRUE(read.ok()) << read.error().message();
  ASSERT_EQ(read->functions.size(), 1u);
  const GraphFunction& found = read->functions[0];
  EXPECT_EQ(found.name, "twice");
  EXPECT_EQ(found.domain, "local");
  EXPECT_THAT(found.inputs, ElementsAre("p"));
  EXPECT_THAT(found.outputs, ElementsAre("q"));
  EXPECT_THAT(found.defaults, IsEmpty());
  const Attribute& beta = found.nodes[0].attributes[0];
  EXPECT_EQ(std::get<AttributeReference>(beta.value).name, "alpha");
}

TEST(Functions, AreCheckedLikeGraphs) {
  TestNetwork network = Plain();
  onnx::FunctionProto& function = AddFunction(network);
  function.clear_name();
  EXPECT_THAT(Complaint(network), HasSubstr("a function has no name"));
  function.set_name("twice");
  function.add_output("r");
  EXPECT_EQ(Complaint(network),
            "function 'twice': nothing produces the output 'r'");
  function.clear_output();
  function.mutable_node(0)->set_input(1, "ghost");
  EXPECT_EQ(Complaint(network),
            "function 'twice': a Add node reads 'ghost', which nothing "
            "produces");
  function.mutable_node(0)->set_input(1, "q");
  EXPECT_EQ(Complaint(network),
            "function 'twice': the graph has a cycle through a Add node");
  function.mutable_node(0)->set_input(1, "p");
  function.add_input("p");
  EXPECT_EQ(Complaint(network),
            "function 'twice': value 'p' is produced twice");
}

TEST(Files, HaveAProducerAndOperatorSets) {
  TestNetwork network = Plain();
  network.proto().set_producer_name("somebody");
  auto* set = network.proto().add_opset_import();
  set->set_domain("ai.onnx.ml");
  set->set_version(3);
  auto read = network.Read();
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->producer, "somebody");
  ASSERT_EQ(read->operator_sets.size(), 2u);
  EXPECT_EQ(read->operator_sets[1].domain, "ai.onnx.ml");
  EXPECT_EQ(read->operator_sets[1].version, 3);
  EXPECT_EQ(read->file_bytes, network.Bytes().size());
}

// A graph of outputs only is unusual, but no damage.
TEST(Files, NeedANodeOrAnOutput) {
  TestNetwork network;
  network.Input("x", {1});
  EXPECT_THAT(Complaint(network), HasSubstr("its graph is empty"));
  network.graph().add_output()->set_name("x");
  EXPECT_EQ(Complaint(network), "");
}

TEST(TensorContent, RawBytesMayNotEndEarly) {
  const std::array<std::byte, 7> bytes{};
  MemorySource source(bytes);
  Constant constant{.type = ElementType::kInt32, .sizes = {2}};
  EXPECT_EQ(AppendRaw(source, 0, constant).error().code(), ErrorCode::kCorrupt);
  constant.sizes = {1};
  EXPECT_TRUE(AppendRaw(source, 3, constant).ok());
  EXPECT_FALSE(AppendRaw(source, 4, constant).ok());
}

TEST(ValueTypes, SparseTensorsHaveAShape) {
  TestNetwork network = Plain();
  auto* input = network.graph().add_input();
  input->set_name("sparse");
  auto* type = input->mutable_type()->mutable_sparse_tensor_type();
  type->set_elem_type(TensorMessage::FLOAT);
  type->mutable_shape()->add_dim()->set_dim_value(7);
  auto read = network.Read();
  ASSERT_TRUE(read.ok()) << read.error().message();
  EXPECT_EQ(read->graph.inputs.at(1).type.type, ElementType::kFloat);
  EXPECT_EQ(FormatShape(read->graph.inputs[1].type.shape.value()), "7");
}

TEST(Graphs, TwoInputsOrConstantsOfOneNameAreProducedTwice) {
  TestNetwork network = Plain();
  network.Input("x", {1, 4});
  EXPECT_EQ(Complaint(network), "value 'x' is produced twice");
  network = Plain();
  network.Weight("w", {1}).Weight("w", {1});
  EXPECT_EQ(Complaint(network), "value 'w' is produced twice");
}

}  // namespace
}  // namespace mete
