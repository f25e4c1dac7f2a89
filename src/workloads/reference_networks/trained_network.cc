#include "reference_networks/trained_network.h"

#include <algorithm>

#include "support/check.h"

namespace mete {
namespace {

using Names = std::vector<std::string>;

// Emits layers as nodes, one after another.
class Drafter {
 public:
  Drafter(TrainedNetwork& network, const Weights& weights)
      : network_(network), weights_(weights) {}

  void Pass(const Layers& layers, const std::string& path) {
    for (size_t i = 0; i < layers.size(); ++i) {
      path_ = path + "." + std::to_string(i);
      std::visit([this](const auto& layer) { Add(layer); }, layers[i].kind);
    }
  }

  const std::string& current() const { return current_; }

 private:
  // The current value and the sizes of one sample of it.
  struct Place {
    std::string name;
    std::vector<int64_t> sizes;
  };

  void Add(const ConvLayer& conv) {
    Names inputs = {current_,
                    Weight("weight", {conv.out, conv.in, conv.kernel})};
    if (conv.bias) inputs.push_back(Weight("bias", {conv.out}));
    Emit("Conv", inputs,
         {{"kernel_shape", std::vector<int64_t>{conv.kernel}},
          {"pads", std::vector<int64_t>(2, conv.padding)},
          {"strides", std::vector<int64_t>{conv.stride}}});
    Slide(conv.kernel, conv.stride, conv.padding);
    sizes_[0] = conv.out;
  }

  void Add(const NormLayer& norm) {
    const std::vector<int64_t> sizes = {norm.channels};
    Emit("BatchNormalization",
         {current_, Weight("weight", sizes), Weight("bias", sizes),
          Weight("running_mean", sizes), Weight("running_var", sizes)},
         {{"epsilon", 1e-5}});
  }

  void Add(const LinearLayer& linear) {
    Emit("Gemm",
         {current_, Weight("weight", {linear.out, linear.in}),
          Weight("bias", {linear.out})},
         {{"transB", int64_t{1}}});
    sizes_ = {linear.out};
  }

  void Add(const ReluLayer&) { Emit("Relu", {current_}); }
  void Add(const TanhLayer&) { Emit("Tanh", {current_}); }
  void Add(const DropoutLayer&) {}  // does nothing in inference
  void Add(const FlattenLayer&) {
    Emit("Flatten", {current_});
    int64_t all = 1;
    for (int64_t size : sizes_) all *= size;
    sizes_ = {all};
  }

  void Add(const MaxPoolLayer& pool) {
    EmitPool("MaxPool", pool);
    Slide(pool.kernel, pool.stride, pool.padding);
  }

  void Add(const AdaptiveMaxLayer& pool) {
    std::vector<PoolWindow> windows = AdaptiveWindows(sizes_[1], pool.size);
    if (EmitEven("MaxPool", windows)) return;
    // Windows of different lengths: each is padded to the longest with its own
    // last value, which does not change the maximum.
    int64_t longest = 0;
    for (const PoolWindow& w : windows) {
      longest = std::max(longest, w.end - w.start);
    }
    std::vector<int64_t> places;
    for (const PoolWindow& w : windows) {
      for (int64_t i = 0; i < longest; ++i) {
        places.push_back(std::min(w.start + i, w.end - 1));
      }
    }
    Emit("Gather", {current_, Integers(places, {pool.size, longest})},
         {{"axis", int64_t{2}}});
    Emit("ReduceMax", {current_},
         {{"axes", std::vector<int64_t>{3}}, {"keepdims", int64_t{0}}});
    sizes_[1] = pool.size;
  }

  void Add(const AdaptiveMeanLayer& pool) {
    CHECK(EmitEven("AveragePool", AdaptiveWindows(sizes_[1], pool.size)))
        << "windows of different lengths";
  }

  // Transposes {batch, channels, steps} to {steps, batch, channels}, which
  // engines expect, and finally to {batch, steps, 2 hidden}.
  void Add(const LstmLayer& lstm) {
    const int64_t steps = sizes_[1];
    const std::string path = path_ + ".lstm";
    Transpose({2, 0, 1});
    int64_t in = lstm.in;
    for (int64_t layer = 0; layer < lstm.layers; ++layer) {
      const std::string end = "_l" + std::to_string(layer);
      const int64_t gates = 4 * lstm.hidden;
      Emit("LSTM",
           {current_, Gates(path + ".weight_ih" + end, in, lstm.hidden, gates),
            Gates(path + ".weight_hh" + end, lstm.hidden, lstm.hidden, gates)},
           {{"direction", std::string("bidirectional")},
            {"hidden_size", lstm.hidden}});
      Transpose({0, 2, 1, 3});  // {steps, batch, directions, hidden}
      in = 2 * lstm.hidden;
      Emit("Reshape", {current_, Integers({0, 0, in}, {3})});
    }
    Transpose({1, 0, 2});
    sizes_ = {steps, in};
  }

  void Add(const ResidualLayer& block) {
    const std::string path = path_;
    const Place start{current_, sizes_};
    Pass(block.body, path + ".body");
    const Place end{current_, sizes_};
    current_ = start.name;
    sizes_ = start.sizes;
    Pass(block.shortcut, path + ".shortcut");
    Emit("Add", {end.name, current_});
    sizes_ = end.sizes;
    Emit("Relu", {current_});
  }

  void Emit(const std::string& op, const Names& inputs,
            std::vector<Attribute> attributes = {}) {
    Graph& graph = network_.draft.graph;
    current_ = op + "_" + std::to_string(graph.nodes.size());
    graph.nodes.push_back({.name = current_,
                           .op = op,
                           .inputs = inputs,
                           .outputs = {current_},
                           .attributes = std::move(attributes)});
  }

  void EmitPool(const std::string& op, const MaxPoolLayer& pool) {
    Emit(op, {current_},
         {{"kernel_shape", std::vector<int64_t>{pool.kernel}},
          {"pads", std::vector<int64_t>(2, pool.padding)},
          {"strides", std::vector<int64_t>{pool.stride}}});
  }

  // Emits plain pooling if the windows have equal lengths and distances.
  bool EmitEven(const std::string& op, const std::vector<PoolWindow>& windows) {
    const int64_t kernel = windows[0].end - windows[0].start;
    const int64_t stride = windows.size() > 1 ? windows[1].start : kernel;
    for (size_t i = 0; i < windows.size(); ++i) {
      if (windows[i].start != static_cast<int64_t>(i) * stride) return false;
      if (windows[i].end != windows[i].start + kernel) return false;
    }
    EmitPool(op, {.kernel = kernel, .stride = stride});
    sizes_[1] = static_cast<int64_t>(windows.size());
    return true;
  }

  void Transpose(std::vector<int64_t> order) {
    Emit("Transpose", {current_}, {{"perm", std::move(order)}});
  }

  void Slide(int64_t kernel, int64_t stride, int64_t padding) {
    sizes_[1] = (sizes_[1] + 2 * padding - kernel) / stride + 1;
  }

  std::string Weight(const std::string& name, std::vector<int64_t> sizes) {
    std::string full = path_ + "." + name;
    return Filled(full, std::move(sizes), Trained(full));
  }

  const std::vector<float>& Trained(const std::string& name) const {
    auto found = weights_.find(name);
    CHECK(found != weights_.end()) << "missing weights " << name;
    return found->second;
  }

  std::string Filled(const std::string& name, std::vector<int64_t> sizes,
                     std::span<const float> values) {
    network_.draft.graph.constants.push_back(
        {.name = name, .type = ElementType::kFloat, .sizes = std::move(sizes)});
    network_.draft.fills.emplace(name, BorrowedFill{values});
    return name;
  }

  // Both directions of one LSTM matrix. The order of the gates is input,
  // forget, cell, output in training and input, output, forget, cell in ONNX.
  std::string Gates(const std::string& name, int64_t in, int64_t hidden,
                    int64_t gates) {
    std::vector<float>& arranged = network_.arranged.emplace_back();
    for (const char* direction : {"", "_reverse"}) {
      const std::vector<float>& trained = Trained(name + direction);
      for (int64_t gate : {0, 3, 1, 2}) {
        auto first = trained.begin() + gate * hidden * in;
        arranged.insert(arranged.end(), first, first + hidden * in);
      }
    }
    return Filled(name, {2, gates, in}, arranged);
  }

  std::string Integers(const std::vector<int64_t>& content,
                       std::vector<int64_t> sizes) {
    Graph& graph = network_.draft.graph;
    std::string name = "integers_" + std::to_string(graph.constants.size());
    graph.constants.push_back({.name = name,
                               .type = ElementType::kInt64,
                               .sizes = std::move(sizes),
                               .integers = content});
    return name;
  }

  TrainedNetwork& network_;
  const Weights& weights_;
  std::string path_;
  std::string current_ = "input";
  std::vector<int64_t> sizes_ = {1, kWindow};
};

ValueType MakeBatchedType(const std::vector<int64_t>& sizes) {
  Shape shape = KnownShape(sizes);
  shape.insert(shape.begin(), Dimension{.symbol = "batch"});
  return {ElementType::kFloat, shape};
}

}  // namespace

TrainedNetwork MakeTrainedNetwork(const Architecture& architecture,
                                  const Weights& weights) {
  TrainedNetwork network;
  Graph& graph = network.draft.graph;
  graph.name = architecture.name;
  graph.inputs = {{"input", MakeBatchedType({1, kWindow})}};
  Drafter drafter(network, weights);
  drafter.Pass(architecture.encoder, "encoder");
  drafter.Pass(architecture.classifier, "classifier");
  graph.nodes.back().outputs = {"scores"};
  graph.outputs = {{"scores", MakeBatchedType({architecture.classes})}};
  return network;
}

std::vector<PoolWindow> AdaptiveWindows(int64_t length, int64_t size) {
  std::vector<PoolWindow> windows;
  for (int64_t i = 0; i < size; ++i) {
    windows.push_back(
        {i * length / size, ((i + 1) * length + size - 1) / size});
  }
  return windows;
}

}  // namespace mete
