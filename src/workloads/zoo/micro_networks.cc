#include "zoo/micro_networks.h"

#include <algorithm>
#include <utility>

#include "zoo/network_builder.h"

namespace mete {
namespace {

constexpr uint64_t kSeed = 0;

MicroNetwork Finished(NetworkBuilder builder, const Value& output,
                      double work) {
  return {.draft = std::move(builder).Finish(output, kSeed), .work = work};
}

// 256 x 1024 by 1024 x 1024.
MicroNetwork Gemm() {
  NetworkBuilder builder("micro-gemm", {256, 1024});
  Value output = builder.Linear(builder.input(), 1024);
  double flops = 2 * static_cast<double>(builder.macs());
  return Finished(std::move(builder), output, flops);
}

// Four in a row, so that reordering at the ends matters less.
MicroNetwork Convolutions(const std::string& name, int64_t channels,
                          int64_t groups) {
  NetworkBuilder builder(name, {channels, 56, 56});
  Value x = builder.input();
  for (int i = 0; i < 4; ++i) {
    x = builder.Conv(x, {.channels = channels, .kernel = 3, .groups = groups});
  }
  double flops = 2 * static_cast<double>(builder.macs());
  return Finished(std::move(builder), x, flops);
}

// Three additions, each of two tensors to a third.
MicroNetwork Elementwise(Bytes memory) {
  // 24 MiB exceed most caches; the input is held twice, and three more tensors
  // are alive at the same time.
  Bytes tensor =
      std::clamp(Bytes{memory.count / 16}, Mebibytes(1), Mebibytes(24));
  auto elements = static_cast<int64_t>(tensor.count / sizeof(float));
  NetworkBuilder builder("micro-elementwise", {elements});
  Value a = builder.Add(builder.input(), builder.input());
  Value b = builder.Add(a, builder.input());
  Value c = builder.Add(b, a);
  return Finished(std::move(builder), c,
                  3.0 * 3.0 * static_cast<double>(elements) * sizeof(float));
}

// Nodes with almost no work; no two of them are equal, and values neither grow
// nor vanish.
MicroNetwork Chain() {
  constexpr int kNodes = 200;
  NetworkBuilder builder("micro-chain", {8});
  Value before = builder.input();
  Value x = builder.Activate(builder.input(), Activation::kRelu);
  for (int i = 1; i < kNodes; ++i) {
    Value next = i % 2 == 1 ? builder.Add(x, before)
                            : builder.Activate(x, Activation::kTanh);
    before = std::exchange(x, next);
  }
  return Finished(std::move(builder), x, kNodes);
}

}  // namespace

MicroNetworks DraftMicroNetworks(Bytes memory) {
  return {.gemm = Gemm(),
          .conv = Convolutions("micro-conv", 64, 1),
          .depthwise = Convolutions("micro-depthwise", 128, 128),
          .elementwise = Elementwise(memory),
          .chain = Chain()};
}

}  // namespace mete
