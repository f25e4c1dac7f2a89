// The reader's memory use does not depend on the size of the weights.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

#include "adapters/onnx/graph_reader.h"
#include "adapters/onnx/graph_reader_test_network.h"
#include "describe/describe.h"
#include "support/file.h"

namespace mete {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

// Peak resident memory of this process.
uint64_t PeakBytes() {
  std::istringstream status(*ReadFile("/proc/self/status"));
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::stoull(line.substr(6)) * 1024;
  }
  return 0;
}

void AppendTag(uint32_t number, uint64_t length, std::string& bytes) {
  for (uint64_t value : {uint64_t{number} << 3 | 2, length}) {
    for (; value > 127; value >>= 7) {
      bytes += static_cast<char>(value | 128);
    }
    bytes += static_cast<char>(value);
  }
}

// Writes a network with one weight of `weight_bytes` whose content is a hole in
// the file, which takes no disk space.
void WriteSparseNetwork(const std::filesystem::path& path,
                        int64_t weight_bytes) {
  constexpr int64_t kRows = 1 << 10;
  TestNetwork small;
  small.Input("x", {1, kRows}).Node("MatMul", {"x", "w"}, {"y"});
  std::string graph = small.graph().SerializeAsString();
  onnx::TensorProto header;
  header.set_name("w");
  header.set_data_type(onnx::TensorProto::FLOAT);
  header.add_dims(kRows);
  header.add_dims(weight_bytes / 4 / kRows);
  std::string tensor = header.SerializeAsString();
  AppendTag(9, static_cast<uint64_t>(weight_bytes), tensor);  // raw_data
  uint64_t tensor_length = tensor.size() + static_cast<uint64_t>(weight_bytes);
  AppendTag(5, tensor_length, graph);  // initializer
  graph += tensor;
  uint64_t graph_length = graph.size() + static_cast<uint64_t>(weight_bytes);
  onnx::ModelProto shell = small.proto();
  shell.clear_graph();
  std::string bytes = shell.SerializeAsString();
  AppendTag(7, graph_length, bytes);  // graph
  bytes += graph;
  std::ofstream(path) << bytes;
  std::filesystem::resize_file(
      path, bytes.size() + static_cast<uint64_t>(weight_bytes));
}

TEST(ReaderMemory, DoesNotGrowWithA2GigabyteWeight) {
  if (kSanitized) GTEST_SKIP() << "sanitizers use additional memory";
  ScratchFolder folder = *ScratchFolder::Create();
  std::filesystem::path path = folder.path() / "large.onnx";
  WriteSparseNetwork(path, int64_t{1900} << 20);
  uint64_t before = PeakBytes();
  auto network = OnnxGraphReader().Read(path);
  ASSERT_TRUE(network.ok()) << network.error().message();
  auto described = Describe(*network, {});
  ASSERT_TRUE(described.ok()) << described.error().message();
  EXPECT_EQ(described->weight_bytes, uint64_t{1900} << 20);
  EXPECT_LT(PeakBytes() - before, uint64_t{64} << 20);
}

}  // namespace
}  // namespace mete
