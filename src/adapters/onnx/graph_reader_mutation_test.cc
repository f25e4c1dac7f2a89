// Thousands of damaged files: reading always ends with a result, never a crash.
#include <gtest/gtest.h>

#include "adapters/onnx/graph_reader.h"
#include "adapters/onnx/graph_reader_test_network.h"
#include "describe/characteristics_json.h"
#include "describe/describe.h"
#include "support/json.h"
#include "support/random.h"

namespace mete {
namespace {

// A bit of everything: weights of several kinds, attributes, a subgraph, a
// function, shape arithmetic.
std::string Varied() {
  TestNetwork network;
  network.Input("x", {-1, 3, 8, 8}).Input("c", {}, onnx::TensorProto::BOOL);
  network.Weight("w", {4, 3, 3, 3}).Integers("shape", {0, -1});
  network.Reals("scales", {1, 1, 2, 2});
  network.Node("Conv", {"x", "w"}, {"a"},
               {Ints("strides", {2, 2}), Text("auto_pad", "SAME_UPPER")});
  network.Node("Resize", {"a", "", "scales"}, {"b"});
  network.Node("Shape", {"b"}, {"s"});
  network.Node("ConstantOfShape", {"s"}, {"zeros"});
  network.Node("Reshape", {"b", "shape"}, {"d"});
  onnx::GraphProto branch;
  TestNetwork::AddNode("Softmax", {"d"}, {"e"}, {Int("axis", 1)}, branch);
  branch.add_output()->set_name("e");
  network.Node(
      "If", {"c"}, {"f"},
      {Subgraph("then_branch", branch), Subgraph("else_branch", branch)});
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
  network.Node("twice", {"f"}, {"y"});
  network.graph().mutable_node(6)->set_domain("local");
  return network.Bytes();
}

// True when the bytes were a network that can be described.
bool Survives(const std::string& bytes) {
  auto network = OnnxGraphReader::ReadBytes(std::as_bytes(std::span(bytes)));
  if (!network.ok()) {
    EXPECT_FALSE(network.error().message().empty());
    return false;
  }
  auto described = Describe(*network, {.layers = true});
  if (!described.ok()) return false;
  return !DumpJson(ToJson(*described)).empty();
}

std::string Mutated(std::string bytes, Random& random) {
  uint64_t changes = 1 + random.Below(4);
  for (uint64_t i = 0; i < changes && !bytes.empty(); ++i) {
    size_t place = random.Below(bytes.size());
    switch (random.Below(4)) {
      case 0:
        bytes[place] = static_cast<char>(random.Below(256));
        break;
      case 1:
        bytes[place] = static_cast<char>(bytes[place] ^ (1 << random.Below(8)));
        break;
      case 2:
        bytes.erase(place, 1 + random.Below(8));
        break;
      default:
        bytes.insert(place, bytes.substr(random.Below(bytes.size()), 6));
        break;
    }
  }
  return bytes;
}

TEST(Mutation, LeavesTheOriginalDescribable) {
  EXPECT_TRUE(Survives(Varied()));
}

TEST(Mutation, NeverCrashesOnATruncatedFile) {
  std::string bytes = Varied();
  int survived = 0;
  for (size_t length = 0; length < bytes.size(); ++length) {
    survived += Survives(bytes.substr(0, length));
  }
  // Without its functions, which come last, the file is complete again.
  EXPECT_EQ(survived, 1);
}

TEST(Mutation, NeverCrashesOnADamagedFile) {
  const std::string bytes = Varied();
  Random random(20240501);
  int survived = 0;
  for (int i = 0; i < 20'000; ++i) survived += Survives(Mutated(bytes, random));
  // Some damage is harmless (a name, bits of a weight), most is not.
  EXPECT_GT(survived, 500);
  EXPECT_LT(survived, 15'000);
}

}  // namespace
}  // namespace mete
