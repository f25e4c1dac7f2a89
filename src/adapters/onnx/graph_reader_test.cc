#include "adapters/onnx/graph_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "adapters/onnx/graph_reader_attribute.h"
#include "adapters/onnx/graph_reader_test_network.h"
#include "support/file.h"

namespace mete {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

std::string Refusal(const TestNetwork& network) {
  auto read = network.Read();
  if (read.ok()) return "";
  EXPECT_EQ(read.error().code(), ErrorCode::kCorrupt);
  return read.error().message();
}

std::string RefusalOfBytes(std::string_view bytes) {
  auto read = OnnxGraphReader::ReadBytes(std::as_bytes(std::span(bytes)));
  return read.ok() ? "" : read.error().message();
}

// x -> Relu -> y, with an unused weight.
TestNetwork Small() {
  TestNetwork network;
  network.Input("x", {1, 4}).Weight("w", {2, 3}).Node("Relu", {"x"}, {"y"});
  return network;
}

TEST(GraphReader, ReadsNamesShapesAndWeights) {
  auto network = Small().Read();
  ASSERT_TRUE(network.ok()) << network.error().message();
  EXPECT_EQ(network->ir_version, 8);
  EXPECT_EQ(network->operator_sets[0].version, 17);
  EXPECT_EQ(FormatShape(*network->graph.inputs[0].type.shape), "1x4");
  EXPECT_EQ(network->graph.nodes[0].op, "Relu");
  EXPECT_EQ(network->graph.constants[0].stored_bytes, 24u);
  EXPECT_EQ(network->sha256.size(), 64u);
}

TEST(GraphReader, ReadsAttributesOfEveryKind) {
  TestNetwork network;
  network.Input("x", {1});
  network.Node("Any", {"x"}, {"y"},
               {Int("i", -7),
                Ints("l", {1, -2}),
                Floats("f", {0.5F}),
                Text("s", "text"),
                {"r", 2.5F}});
  auto read = network.Read();
  ASSERT_TRUE(read.ok());
  const Node& node = read->graph.nodes[0];
  EXPECT_EQ(node.Integer("i", 0), -7);
  EXPECT_THAT(node.Integers("l"), ElementsAre(1, -2));
  EXPECT_EQ(node.Text("s", ""), "text");
  EXPECT_EQ(node.Real("r", 0), 2.5);
}

TEST(GraphReader, ReadsSmallContentsInEveryEncoding) {
  TestNetwork network = Small();
  network.Integers("typed", {5, -6});
  auto* raw = network.graph().add_initializer();
  *raw = MakeTensor("raw", {2}, onnx::TensorProto::INT16, 2);
  raw->set_raw_data(std::string("\x01\x00\xFE\xFF", 4));
  auto* narrow = network.graph().add_initializer();
  narrow->set_name("narrow");
  narrow->set_data_type(onnx::TensorProto::INT8);
  narrow->add_dims(2);
  narrow->add_int32_data(-3);
  narrow->add_int32_data(4);
  auto read = network.Read();
  ASSERT_TRUE(read.ok()) << read.error().message();
  EXPECT_THAT(read->graph.constants[1].integers, ElementsAre(5, -6));
  EXPECT_THAT(read->graph.constants[2].integers, ElementsAre(1, -2));
  EXPECT_THAT(read->graph.constants[3].integers, ElementsAre(-3, 4));
  EXPECT_EQ(read->graph.constants[3].stored_bytes, 2u);
}

TEST(GraphReader, CountsTheStoredBytesOfASparseInitializer) {
  TestNetwork network = Small();
  auto* sparse = network.graph().add_sparse_initializer();
  *sparse->mutable_values() = MakeTensor("s", {3});
  *sparse->mutable_indices() = MakeIntegers("", {1, 5, 9});
  sparse->add_dims(100);
  auto read = network.Read();
  ASSERT_TRUE(read.ok()) << read.error().message();
  EXPECT_TRUE(read->graph.constants[1].sparse);
  EXPECT_EQ(read->graph.constants[1].stored_bytes, 12u + 24);
  EXPECT_THAT(read->graph.constants[1].sizes, ElementsAre(100));
}

TEST(GraphReader, OmitsInitializersFromTheInputs) {
  TestNetwork network = Small();
  network.Input("w", {2, 3});
  auto read = network.Read();
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->graph.inputs.size(), 1u);
}

TEST(GraphReader, TreatsTheLongNameOfTheStandardSetAsTheShortOne) {
  TestNetwork network = Small();
  network.graph().mutable_node(0)->set_domain("ai.onnx");
  network.proto().mutable_opset_import(0)->set_domain("ai.onnx");
  auto read = network.Read();
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->graph.nodes[0].domain, "");
  EXPECT_EQ(read->operator_sets[0].domain, "");
}

TEST(GraphReader, SortsNodesThatAreOutOfOrder) {
  TestNetwork network;
  network.Input("x", {4});
  network.Node("Relu", {"m"}, {"y"}).Node("Abs", {"x"}, {"m"});
  auto read = network.Read();
  ASSERT_TRUE(read.ok()) << read.error().message();
  EXPECT_EQ(read->graph.nodes[0].op, "Abs");
}

TEST(GraphReader, NamesANodeOnACycle) {
  TestNetwork network;
  network.Input("x", {4}).Node("Relu", {"x"}, {"r"});
  network.Node("Add", {"r", "c"}, {"b"}).Node("Neg", {"b"}, {"c"});
  EXPECT_THAT(Refusal(network), StartsWith("the graph has a cycle through "
                                           "node '"));
  EXPECT_THAT(Refusal(network), testing::Not(HasSubstr("Relu")));
}

TEST(GraphReader, RejectsANodeThatReadsItself) {
  TestNetwork network;
  network.Input("x", {4}).Node("Add", {"x", "y"}, {"y"});
  EXPECT_EQ(Refusal(network),
            "the graph has a cycle through node 'Add_1' (Add)");
}

TEST(GraphReader, RejectsAValueProducedTwice) {
  TestNetwork network = Small();
  network.Node("Abs", {"x"}, {"y"});
  EXPECT_EQ(Refusal(network), "value 'y' is produced twice");
}

TEST(GraphReader, RejectsANameNothingProduces) {
  TestNetwork network;
  network.Input("x", {4}).Node("Relu", {"ghost"}, {"y"});
  EXPECT_EQ(Refusal(network),
            "node 'Relu_1' (Relu) reads 'ghost', which nothing produces");
}

// A branch that returns the absolute value of `name`.
onnx::GraphProto Branch(const std::string& name) {
  onnx::GraphProto branch;
  TestNetwork::AddNode("Abs", {name}, {"b"}, {}, branch);
  branch.add_output()->set_name("b");
  return branch;
}

TestNetwork WithBranches(const std::string& name) {
  TestNetwork network;
  network.Input("x", {4}).Input("c", {}, onnx::TensorProto::BOOL);
  network.Node("If", {"c"}, {"y"},
               {Subgraph("then_branch", Branch(name)),
                Subgraph("else_branch", Branch("x"))});
  return network;
}

TEST(GraphReader, LetsASubgraphReadNamesFromOutside) {
  EXPECT_EQ(Refusal(WithBranches("x")), "");
}

TEST(GraphReader, RejectsASubgraphThatReadsANameNothingProduces) {
  EXPECT_THAT(Refusal(WithBranches("ghost")), HasSubstr("'ghost'"));
}

TEST(GraphReader, RejectsSubgraphsNestedTooDeeply) {
  onnx::GraphProto branch = Branch("x");
  for (int i = 0; i < 40; ++i) {
    onnx::GraphProto outer;
    TestNetwork::AddNode("If", {"c"}, {"b"}, {Subgraph("then_branch", branch)},
                         outer);
    outer.add_output()->set_name("b");
    branch = outer;
  }
  TestNetwork network;
  network.Input("x", {4}).Input("c", {}, onnx::TensorProto::BOOL);
  network.Node("If", {"c"}, {"y"}, {Subgraph("then_branch", branch)});
  EXPECT_THAT(Refusal(network),
              HasSubstr("subgraphs are nested deeper than 32"));
}

TEST(GraphReader, RejectsContentThatDoesNotMatchItsSizes) {
  TestNetwork network = Small();
  network.graph().mutable_initializer(0)->set_raw_data("7 bytes");
  EXPECT_EQ(
      Refusal(network),
      "tensor 'w': its sizes 2x3 of float32 do not match its content of 7 "
      "bytes");
  network.graph().mutable_initializer(0)->clear_raw_data();
  network.graph().mutable_initializer(0)->add_float_data(1);
  EXPECT_THAT(Refusal(network), HasSubstr("content of 1 numbers"));
}

TEST(GraphReader, RejectsNegativeAndImplausibleSizes) {
  TestNetwork network = Small();
  network.graph().mutable_initializer(0)->set_dims(0, -2);
  EXPECT_EQ(Refusal(network), "tensor 'w': it has the negative size -2");
  network.graph().mutable_initializer(0)->set_dims(0, INT64_MAX);
  EXPECT_THAT(Refusal(network), HasSubstr("are implausible"));
}

TEST(GraphReader, RejectsANegativeSizeOfAnInput) {
  TestNetwork network = Small();
  network.graph()
      .mutable_input(0)
      ->mutable_type()
      ->mutable_tensor_type()
      ->mutable_shape()
      ->mutable_dim(1)
      ->set_dim_value(-4);
  EXPECT_EQ(Refusal(network), "value 'x': its shape has the negative size -4");
}

TEST(GraphReader, RecognizesFilesThatAreNotNetworks) {
  EXPECT_EQ(RefusalOfBytes(""), "the file is empty");
  EXPECT_THAT(RefusalOfBytes("# a text file\n"),
              StartsWith("not an ONNX network: "));
  EXPECT_THAT(RefusalOfBytes("\xFF\xD8\xFF\xE0 picture"),
              StartsWith("not an ONNX network: "));
  EXPECT_EQ(RefusalOfBytes("hi\n"),
            "not an ONNX network, or truncated (byte 3)");
  onnx::ModelProto bare;
  bare.set_ir_version(8);
  EXPECT_EQ(RefusalOfBytes(bare.SerializeAsString()),
            "not an ONNX network: it contains no graph");
}

TEST(GraphReader, RecognizesATruncatedFile) {
  std::string bytes = Small().Bytes();
  EXPECT_THAT(RefusalOfBytes(bytes.substr(0, bytes.size() / 2)),
              StartsWith("truncated"));
}

TEST(GraphReader, RejectsEveryTruncationOfAFile) {
  std::string bytes = Small().Bytes();
  for (size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_NE(RefusalOfBytes(std::string_view(bytes).substr(0, length)), "")
        << length;
  }
}

TEST(GraphReader, ReadsFilesAndNamesThemInErrors) {
  ScratchFolder folder = *ScratchFolder::Create();
  std::filesystem::path path = folder.path() / "net.onnx";
  EXPECT_EQ(OnnxGraphReader().Read(path).error().code(), ErrorCode::kNotFound);
  std::ofstream(path) << Small().Bytes();
  auto network = OnnxGraphReader().Read(path);
  ASSERT_TRUE(network.ok()) << network.error().message();
  EXPECT_EQ(network->path, path.string());
  EXPECT_EQ(network->file_bytes, std::filesystem::file_size(path));
  std::ofstream(path) << "text";
  EXPECT_THAT(OnnxGraphReader().Read(path).error().message(),
              StartsWith("read " + path.string() + ": not an ONNX network"));
  EXPECT_EQ(
      OnnxGraphReader().Read(folder.path()).error().message(),
      "read " + folder.path().string() + ": is a folder, not a network file");
}

// Ten nodes with four parts each: operator, name, input and output.
TestNetwork TenNodes() {
  TestNetwork network;
  network.Input("x", {1, 4});
  for (int i = 0; i < 10; ++i) {
    network.Node("Relu", {"x"}, {"y" + std::to_string(i)});
  }
  return network;
}

std::string RefusalWithin(TestNetwork network, const GraphLimits& limits) {
  const std::string bytes = network.proto().SerializeAsString();
  auto read = OnnxGraphReader::ReadBytes(std::as_bytes(std::span(bytes)),
                                         std::nullopt, limits);
  return read.ok() ? "" : read.error().message();
}

// A file of a few megabytes can describe a graph that takes gigabytes.
TEST(GraphLimits, LimitTheNodes) {
  EXPECT_EQ(RefusalWithin(TenNodes(), {.most_nodes = 10}), "");
  EXPECT_THAT(RefusalWithin(TenNodes(), {.most_nodes = 9}),
              HasSubstr("more than 9 nodes"));
}

TEST(GraphLimits, LimitAllParts) {
  // Besides the nodes: the graph's name, the input and ten outputs.
  EXPECT_EQ(RefusalWithin(TenNodes(), {.most_parts = 62}), "");
  EXPECT_THAT(RefusalWithin(TenNodes(), {.most_parts = 61}),
              HasSubstr("more than 61 names"));
}

TEST(GraphLimits, CountNodesOfSubgraphs) {
  TestNetwork network;
  network.Input("c", {1}).Node("If", {"c"}, {"z"},
                               {Subgraph("then_branch", TenNodes().graph())});
  EXPECT_THAT(RefusalWithin(network, {.most_nodes = 10}),
              HasSubstr("more than 10 nodes"));
}

// Another upload may lie in the same folder.
TEST(GraphLimits, ForbidExternalData) {
  ScratchFolder folder = *ScratchFolder::Create();
  std::ofstream(folder.path() / "other") << std::string(24, 'x');
  TestNetwork network = TenNodes();
  onnx::TensorProto& weight = *network.graph().add_initializer();
  weight.set_name("w");
  weight.set_data_type(onnx::TensorProto::FLOAT);
  weight.add_dims(6);
  weight.set_data_location(onnx::TensorProto::EXTERNAL);
  onnx::StringStringEntryProto& location = *weight.add_external_data();
  location.set_key("location");
  location.set_value("other");
  const std::filesystem::path file = folder.path() / "network.onnx";
  std::ofstream(file) << network.proto().SerializeAsString();
  OnnxGraphReader reader;
  auto allowed = reader.Read(file);
  EXPECT_TRUE(allowed.ok()) << allowed.error().message();
  EXPECT_FALSE(reader.ReadWithin(file, {.external_data = false}).ok());
}

// Files of the first versions of ONNX do not state the kind of an attribute.
TEST(GraphReader, GuessesTheKindOfAnAttribute) {
  TestNetwork network;
  network.Input("x", {1});
  network.Node("Any", {"x"}, {"y"},
               {Int("i", 3),
                Ints("l", {4, 5}),
                Floats("f", {0.5F}),
                Text("s", "text"),
                {"r", 2.5F}});
  auto& node = *network.graph().mutable_node(0);
  for (auto& attribute : *node.mutable_attribute()) attribute.clear_type();
  auto* texts = node.add_attribute();
  texts->set_name("t");
  texts->add_strings("one");
  texts->add_strings("two");
  auto* tensor = node.add_attribute();
  tensor->set_name("v");
  *tensor->mutable_t() = MakeIntegers("", {7});
  auto read = network.Read();
  ASSERT_TRUE(read.ok()) << read.error().message();
  const Node& found = read->graph.nodes[0];
  EXPECT_EQ(found.Integer("i", 0), 3);
  EXPECT_THAT(found.Integers("l"), ElementsAre(4, 5));
  EXPECT_EQ(found.Text("s", ""), "text");
  EXPECT_EQ(found.Real("r", 0), 2.5);
  auto value = [&](const std::string& name) {
    return std::ranges::find(found.attributes, name, &Attribute::name)->value;
  };
  EXPECT_EQ(std::get<std::vector<std::string>>(value("t")),
            (std::vector<std::string>{"one", "two"}));
  EXPECT_EQ(std::get<std::vector<double>>(value("f")),
            std::vector<double>{0.5});
  EXPECT_THAT(std::get<Constant>(value("v")).integers, ElementsAre(7));
}

TEST(GraphReader, KeepsOnlyTheSizeOfALongList) {
  constexpr auto kMost = static_cast<int64_t>(Constant::kKeptElements);
  TestNetwork network;
  network.Input("x", {1});
  network.Node("Any", {"x"}, {"y"},
               {Ints("most", std::vector<int64_t>(kMost, 1)),
                Ints("more", std::vector<int64_t>(kMost + 1, 1)),
                Floats("reals", std::vector<float>(kMost + 1, 1)),
                Floats("most_reals", std::vector<float>(kMost, 1))});
  auto* texts = network.graph().mutable_node(0)->add_attribute();
  texts->set_name("texts");
  texts->set_type(onnx::AttributeProto::STRINGS);
  for (int64_t i = 0; i <= kMost; ++i) texts->add_strings("abc");
  auto read = network.Read();
  ASSERT_TRUE(read.ok()) << read.error().message();
  auto value = [&](const std::string& name) {
    return std::ranges::find(read->graph.nodes[0].attributes, name,
                             &Attribute::name)
        ->value;
  };
  EXPECT_EQ(std::get<std::vector<int64_t>>(value("most")).size(), kMost);
  EXPECT_EQ(std::get<std::vector<double>>(value("most_reals")).size(), kMost);
  const auto more = std::get<Constant>(value("more"));
  EXPECT_THAT(more.sizes, ElementsAre(kMost + 1));
  EXPECT_EQ(more.stored_bytes, 8u * (kMost + 1));
  EXPECT_EQ(std::get<Constant>(value("reals")).stored_bytes, 4u * (kMost + 1));
  EXPECT_EQ(std::get<Constant>(value("texts")).stored_bytes, 3u * (kMost + 1));
}

TEST(GraphReader, KeepsTheListsThatMakeUpTrees) {
  constexpr auto kMost = static_cast<int64_t>(Constant::kKeptElements);
  constexpr auto kMostInTrees =
      static_cast<int64_t>(AttributeParts::kKeptTreeNodes);
  TestNetwork network;
  network.Input("x", {1});
  network.Node(
      "Any", {"x"}, {"y"},
      {Ints("nodes_treeids", std::vector<int64_t>(kMost + 1, 7)),
       Ints("nodes_nodeids", std::vector<int64_t>(kMostInTrees + 1, 1))});
  auto read = network.Read();
  ASSERT_TRUE(read.ok()) << read.error().message();
  const Node& node = read->graph.nodes[0];
  EXPECT_EQ(node.Integers("nodes_treeids"), std::vector<int64_t>(kMost + 1, 7));
  EXPECT_THAT(std::get<Constant>(node.Find("nodes_nodeids")->value).sizes,
              ElementsAre(kMostInTrees + 1));
}

TEST(GraphReader, RejectsAnAttributeWithoutANameOrItsTensor) {
  TestNetwork network = Small();
  auto* attribute = network.graph().mutable_node(0)->add_attribute();
  attribute->set_i(1);
  EXPECT_THAT(Refusal(network), HasSubstr("an attribute has no name"));
  attribute->set_name("a");
  attribute->set_type(onnx::AttributeProto::TENSOR);
  EXPECT_THAT(Refusal(network), HasSubstr("an attribute lacks its tensor"));
}

// A tensor of two elements whose content a test fills in.
onnx::TensorProto& AddTwo(TestNetwork& network, int type) {
  auto* tensor = network.graph().add_initializer();
  tensor->set_name("two_" + std::to_string(network.graph().initializer_size()));
  tensor->set_data_type(type);
  tensor->add_dims(2);
  return *tensor;
}

TEST(GraphReader, ReadsTypedContentOfEveryField) {
  using Proto = onnx::TensorProto;
  TestNetwork network = Small();
  for (float value : {0.5F, -1.5F}) {
    if (value == 0.5F) AddTwo(network, Proto::FLOAT);
    network.graph().mutable_initializer(1)->add_float_data(value);
  }
  auto& doubles = AddTwo(network, Proto::DOUBLE);
  doubles.add_double_data(0.25);
  doubles.add_double_data(-2);
  auto& large = AddTwo(network, Proto::UINT64);
  large.add_uint64_data(7);
  large.add_uint64_data(UINT64_MAX);
  auto& bytes = AddTwo(network, Proto::UINT8);
  bytes.add_int32_data(255);
  bytes.add_int32_data(0);
  auto& texts = AddTwo(network, Proto::STRING);
  texts.add_string_data("abc");
  texts.add_string_data("de");
  auto read = network.Read();
  ASSERT_TRUE(read.ok()) << read.error().message();
  const auto& constants = read->graph.constants;
  EXPECT_THAT(constants[1].reals, ElementsAre(0.5, -1.5));
  EXPECT_EQ(constants[1].stored_bytes, 8u);
  EXPECT_THAT(constants[2].reals, ElementsAre(0.25, -2));
  EXPECT_EQ(constants[2].stored_bytes, 16u);
  EXPECT_THAT(constants[3].integers, ElementsAre(7, INT64_MAX));
  EXPECT_THAT(constants[4].integers, ElementsAre(255, 0));
  EXPECT_EQ(constants[5].stored_bytes, 5u);
}

TEST(GraphReader, RejectsOneElementTooManyOrTooFew) {
  using Proto = onnx::TensorProto;
  for (int count : {1, 3}) {
    TestNetwork floats = Small();
    auto& real = AddTwo(floats, Proto::FLOAT);
    TestNetwork integers = Small();
    auto& integer = AddTwo(integers, Proto::INT32);
    TestNetwork texts = Small();
    auto& text = AddTwo(texts, Proto::STRING);
    TestNetwork raw = Small();
    AddTwo(raw, Proto::INT16).set_raw_data(std::string(size_t{2} * count, 'x'));
    for (int i = 0; i < count; ++i) {
      real.add_float_data(1);
      integer.add_int32_data(1);
      text.add_string_data("a");
    }
    const std::string numbers = std::to_string(count) + " number";
    EXPECT_THAT(Refusal(floats), HasSubstr(numbers));
    EXPECT_THAT(Refusal(integers), HasSubstr(numbers));
    EXPECT_THAT(Refusal(texts), HasSubstr(std::to_string(count) + " strings"));
    EXPECT_THAT(Refusal(raw), HasSubstr(std::to_string(2 * count) + " bytes"));
  }
}

TEST(GraphReader, RejectsElementTypesThatDoNotExist) {
  TestNetwork network = Small();
  AddTwo(network, 0);
  EXPECT_THAT(Refusal(network), HasSubstr("unknown element type 0"));
  network.graph().mutable_initializer(1)->set_data_type(1000);
  EXPECT_THAT(Refusal(network), HasSubstr("unknown element type 1000"));
}

TEST(GraphReader, OldFilesNeedNoOperatorSet) {
  TestNetwork network = Small();
  network.proto().clear_opset_import();
  network.proto().set_ir_version(2);
  auto read = network.Read();
  ASSERT_TRUE(read.ok()) << read.error().message();
  ASSERT_EQ(read->operator_sets.size(), 1u);
  EXPECT_EQ(read->operator_sets[0].version, 1);
  network.proto().set_ir_version(3);
  EXPECT_THAT(Refusal(network), HasSubstr("names no operator set"));
}

TEST(GraphReader, RejectsAGraphWithNothingInIt) {
  TestNetwork network;
  EXPECT_THAT(Refusal(network), HasSubstr("its graph is empty"));
  EXPECT_THAT(RefusalOfBytes(std::string_view()),
              HasSubstr("the file is empty"));
}

// What a file contains before its damage tells that it is a network.
TEST(GraphReader, AVersionOrAGraphBeforeTheEndTellsANetworkFromOtherFiles) {
  EXPECT_THAT(RefusalOfBytes("\x08\x08\x3A\x7F"), StartsWith("truncated"));
  EXPECT_THAT(RefusalOfBytes(std::string_view("\x3A\x00\x08", 3)),
              StartsWith("truncated"));
  EXPECT_THAT(RefusalOfBytes("\x12\x7F"), StartsWith("not an ONNX network"));
}

TEST(GraphReader, WithoutVersionAndOperatorSetIsIncomplete) {
  TestNetwork network = Small();
  network.proto().clear_opset_import();
  network.proto().clear_ir_version();
  EXPECT_THAT(Refusal(network), HasSubstr("names no operator set"));
}

TEST(GraphReader, TextsAndMessagesMustBeBytes) {
  // The producer, the graph and an operator set as numbers.
  for (const char* bytes : {"\x10\x01", "\x38\x01", "\x40\x01"}) {
    EXPECT_THAT(RefusalOfBytes(bytes),
                HasSubstr("does not have the type that ONNX defines"));
  }
}

TEST(GraphReader, AnAttributeWithoutAValueIsZeroOrEmpty) {
  TestNetwork network = Small();
  for (auto [name, type] : {std::pair("r", onnx::AttributeProto::FLOAT),
                            std::pair("i", onnx::AttributeProto::INT),
                            std::pair("s", onnx::AttributeProto::STRING)}) {
    auto* attribute = network.graph().mutable_node(0)->add_attribute();
    attribute->set_name(name);
    attribute->set_type(type);
  }
  auto read = network.Read();
  ASSERT_TRUE(read.ok()) << read.error().message();
  const Node& node = read->graph.nodes[0];
  EXPECT_EQ(node.Real("r", 7), 0);
  EXPECT_EQ(node.Integer("i", 7), 0);
  EXPECT_EQ(node.Text("s", "x"), "");
}

TEST(GraphReader, GuessesTheKindOfListsOfOne) {
  TestNetwork network;
  network.Input("x", {1}).Node(
      "Any", {"x"}, {"y"},
      {Ints("l", {4}), Floats("f", {0.5F}), Subgraph("g", Branch("x"))});
  auto& node = *network.graph().mutable_node(0);
  for (auto& attribute : *node.mutable_attribute()) attribute.clear_type();
  auto* texts = node.add_attribute();
  texts->set_name("t");
  texts->add_strings("one");
  auto read = network.Read();
  ASSERT_TRUE(read.ok()) << read.error().message();
  auto value = [&](const std::string& name) {
    return std::ranges::find(read->graph.nodes[0].attributes, name,
                             &Attribute::name)
        ->value;
  };
  EXPECT_THAT(std::get<std::vector<int64_t>>(value("l")), ElementsAre(4));
  EXPECT_THAT(std::get<std::vector<double>>(value("f")), ElementsAre(0.5));
  EXPECT_THAT(std::get<std::vector<std::string>>(value("t")),
              ElementsAre("one"));
  EXPECT_EQ(std::get<std::vector<Graph>>(value("g")).size(), 1u);
}

TEST(GraphReader, KeepsAListOfAsManyTextsAsItMay) {
  TestNetwork network = Small();
  auto* texts = network.graph().mutable_node(0)->add_attribute();
  texts->set_name("texts");
  texts->set_type(onnx::AttributeProto::STRINGS);
  for (size_t i = 0; i < Constant::kKeptElements; ++i) texts->add_strings("a");
  auto read = network.Read();
  ASSERT_TRUE(read.ok()) << read.error().message();
  EXPECT_EQ(std::get<std::vector<std::string>>(
                read->graph.nodes[0].attributes.at(0).value)
                .size(),
            Constant::kKeptElements);
}

TEST(GraphReader, KeepsEveryListThatMakesUpTrees) {
  constexpr auto kMore = static_cast<int64_t>(Constant::kKeptElements) + 1;
  const std::vector<std::string> names = {"nodes_treeids", "nodes_nodeids",
                                          "nodes_truenodeids",
                                          "nodes_falsenodeids"};
  std::vector<TestAttribute> attributes;
  for (const std::string& name : names) {
    attributes.push_back(Ints(name, std::vector<int64_t>(kMore, 7)));
  }
  TestNetwork network;
  network.Input("x", {1}).Node("Any", {"x"}, {"y"}, attributes);
  auto read = network.Read();
  ASSERT_TRUE(read.ok()) << read.error().message();
  for (const std::string& name : names) {
    EXPECT_EQ(read->graph.nodes[0].Integers(name).size(), kMore) << name;
  }
}

TEST(GraphReader, ReadsRawContentOfEveryInteger) {
  using Proto = onnx::TensorProto;
  const std::string ones(16, '\xFF');
  auto integers = [&](int type, size_t width) {
    TestNetwork network = Small();
    AddTwo(network, type).set_raw_data(ones.substr(0, 2 * width));
    auto read = network.Read();
    EXPECT_TRUE(read.ok());
    return read->graph.constants.at(1).integers.at(1);
  };
  EXPECT_EQ(integers(Proto::INT8, 1), -1);
  EXPECT_EQ(integers(Proto::UINT8, 1), 255);
  EXPECT_EQ(integers(Proto::INT16, 2), -1);
  EXPECT_EQ(integers(Proto::UINT16, 2), 65535);
  EXPECT_EQ(integers(Proto::INT32, 4), -1);
  EXPECT_EQ(integers(Proto::UINT32, 4), 4294967295);
  EXPECT_EQ(integers(Proto::INT64, 8), -1);
  EXPECT_EQ(integers(Proto::UINT64, 8), INT64_MAX);
}

TEST(GraphLimits, CountThePartsOfFunctions) {
  TestNetwork network = Small();
  auto* function = network.proto().add_functions();
  function->set_name("f");
  for (int i = 0; i < 100; ++i) function->add_input("i" + std::to_string(i));
  EXPECT_EQ(RefusalWithin(network, {.most_parts = 1000}), "");
  EXPECT_THAT(RefusalWithin(network, {.most_parts = 60}),
              HasSubstr("more than 60 names"));
}

}  // namespace
}  // namespace mete
