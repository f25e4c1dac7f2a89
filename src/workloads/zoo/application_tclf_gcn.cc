// Node classification with GCNII (Chen et al. 2020, "Simple and deep graph
// convolutional networks"): alpha 0.2, beta 0.05, 64 channels, 784 features.
#include "support/random.h"
#include "zoo/application_drafts.h"
#include "zoo/network_builder.h"

namespace mete {
namespace {

// Edges into each node.
constexpr int64_t kNeighbours = 20;

// The mean over the neighbours of every node. The graph is sparse: reading
// features of random nodes is the work.
Value GcnPropagate(NetworkBuilder& net, const Value& x,
                   const std::string& edges) {
  const int64_t nodes = x.sizes[0], features = x.sizes[1];
  Value read = net.Emit("Gather", {x.name, edges},
                        {{nodes * kNeighbours, features}, x.power},
                        {{"axis", int64_t{1}}});
  Value split = net.Reshape(read, {nodes, kNeighbours, features});
  return net.Emit(
      "ReduceMean", {split.name}, {{nodes, features}, x.power},
      {{"axes", std::vector<int64_t>{2}}, {"keepdims", int64_t{0}}});
}

Value GcnScaled(NetworkBuilder& net, const Value& x, double factor) {
  return net.Emit("Mul", {x.name, net.Real(factor)},
                  {x.sizes, x.power * factor * factor});
}

// Equation 5: ((1-beta) I + beta W) ((1-alpha) P H + alpha H0).
Value GcnLayer(NetworkBuilder& net, const Value& x, const Value& first,
               const std::string& edges) {
  constexpr double kAlpha = 0.2, kBeta = 0.05;
  Value mixed = net.Add(GcnScaled(net, GcnPropagate(net, x, edges), 1 - kAlpha),
                        GcnScaled(net, first, kAlpha));
  const int64_t channels = x.sizes[1];
  const std::string name = net.NextName("weights");
  Value turned = net.Emit(
      "MatMul",
      {mixed.name, net.Weight(name, {channels, channels}, UniformFill{0.2})},
      {x.sizes, mixed.power});
  net.CountMacs(static_cast<uint64_t>(x.sizes[0] * channels * channels));
  return net.Activate(
      net.Add(GcnScaled(net, mixed, 1 - kBeta), GcnScaled(net, turned, kBeta)),
      Activation::kRelu);
}

// Sources of the edges of a random graph, in the order of their targets.
std::vector<int64_t> GcnEdges(int64_t nodes, uint64_t seed) {
  Random random(DeriveSeed(seed, "edges"));
  std::vector<int64_t> sources(static_cast<size_t>(nodes * kNeighbours));
  for (int64_t& source : sources)
    source = static_cast<int64_t>(random.Below(static_cast<uint64_t>(nodes)));
  return sources;
}

}  // namespace

NetworkDraft TclfGcn(const std::string& name, ApplicationSize size,
                     uint64_t seed) {
  const int64_t nodes = size == ApplicationSize::kFull ? 8000 : 2000;
  NetworkBuilder net(name, {nodes, 784});
  const std::string edges = net.Integers(GcnEdges(nodes, seed));
  Value first = net.Activate(net.Linear(net.input(), 64), Activation::kRelu);
  Value x = GcnLayer(net, first, first, edges);
  x = GcnLayer(net, x, first, edges);
  Value output = net.Linear(x, 20);
  return std::move(net).Finish(output, seed);
}

}  // namespace mete
