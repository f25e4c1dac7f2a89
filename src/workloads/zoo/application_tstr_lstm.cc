// Regression on time series of 100 signals and 784 steps: two LSTM layers of
// 50, then layers of 10, 10 and 1. An item is several series, because the
// engine takes less than a millisecond for one.
#include "zoo/application_drafts.h"
#include "zoo/network_builder.h"

namespace mete {

NetworkDraft TstrLstm(const std::string& name, ApplicationSize size,
                      uint64_t seed) {
  constexpr int64_t kSteps = 784, kSignals = 100;
  const int64_t series = size == ApplicationSize::kFull ? 16 : 4;
  NetworkBuilder net(name, {series, kSteps, kSignals});
  // The layers take series, whatever item they belong to.
  Value x = net.Emit("Reshape",
                     {net.input().name, net.Integers({-1, kSteps, kSignals})},
                     {{kSteps, kSignals}});
  x = net.Recurrent(x, {.cell = Cell::kLstm, .hidden = 50, .layers = 2});
  for (int layer = 0; layer < 2; ++layer)
    x = net.Activate(net.Linear(x, 10), Activation::kRelu);
  x = net.Linear(x, 1);
  Value output =
      net.Emit("Reshape", {x.name, net.Integers({-1, series})}, {{series}});
  return std::move(net).Finish(output, seed);
}

}  // namespace mete
