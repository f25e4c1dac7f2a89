// Howard et al. 2019, "Searching for MobileNetV3", table 1; like torchvision,
// with hard sigmoids in squeeze-and-excitation.
#include <algorithm>

#include "zoo/application_drafts.h"
#include "zoo/blocks.h"

namespace mete {
namespace {

// One row of the table.
struct MnetRow {
  int64_t kernel, expanded, channels;
  bool squeeze;
  Activation activation;
  int64_t stride;
};

// Rounded to a multiple of 8, but not down by more than a tenth.
int64_t MnetChannels(int64_t channels, double width) {
  const double exact = static_cast<double>(channels) * width;
  const int64_t rounded =
      std::max<int64_t>(8, static_cast<int64_t>(exact + 4) / 8 * 8);
  return static_cast<double>(rounded) < 0.9 * exact ? rounded + 8 : rounded;
}

Value MnetSqueeze(NetworkBuilder& net, const Value& x) {
  Value y = net.GlobalPool(x);
  y = net.Activate(
      net.Conv(y, {.channels = MnetChannels(x.channels(), 0.25), .bias = true}),
      Activation::kRelu);
  y = net.Conv(y, {.channels = x.channels(), .bias = true});
  Value gate = net.Emit("HardSigmoid", {y.name}, {y.sizes, 0.28},
                        {{"alpha", 1.0 / 6}, {"beta", 0.5}});
  return net.Multiply(x, gate);
}

Value MnetBlock(NetworkBuilder& net, const Value& x, const MnetRow& row) {
  Value y = x;
  if (row.expanded != x.channels())
    y = ConvNorm(net, y, {.channels = row.expanded}, row.activation);
  y = ConvNorm(net, y,
               {.channels = row.expanded,
                .kernel = row.kernel,
                .stride = row.stride,
                .groups = row.expanded},
               row.activation);
  if (row.squeeze) y = MnetSqueeze(net, y);
  y = ConvNorm(net, y, {.channels = row.channels}, Activation::kNone);
  const bool same = row.stride == 1 && x.channels() == row.channels;
  return same ? net.Add(y, x) : y;
}

constexpr Activation kRe = Activation::kRelu;
constexpr Activation kHs = Activation::kHardSwish;
constexpr MnetRow kMnetRows[] = {
    {3, 16, 16, false, kRe, 1},  {3, 64, 24, false, kRe, 2},
    {3, 72, 24, false, kRe, 1},  {5, 72, 40, true, kRe, 2},
    {5, 120, 40, true, kRe, 1},  {5, 120, 40, true, kRe, 1},
    {3, 240, 80, false, kHs, 2}, {3, 200, 80, false, kHs, 1},
    {3, 184, 80, false, kHs, 1}, {3, 184, 80, false, kHs, 1},
    {3, 480, 112, true, kHs, 1}, {3, 672, 112, true, kHs, 1},
    {5, 672, 160, true, kHs, 2}, {5, 960, 160, true, kHs, 1},
    {5, 960, 160, true, kHs, 1}};

}  // namespace

NetworkDraft IclfMnet(const std::string& name, ApplicationSize size,
                      uint64_t seed) {
  const double width = size == ApplicationSize::kFull ? 1 : 0.75;
  NetworkBuilder net(name, {3, 224, 224});
  Value x = ConvNorm(
      net, net.input(),
      {.channels = MnetChannels(16, width), .kernel = 3, .stride = 2}, kHs);
  for (MnetRow row : kMnetRows) {
    row.expanded = MnetChannels(row.expanded, width);
    row.channels = MnetChannels(row.channels, width);
    x = MnetBlock(net, x, row);
  }
  x = ConvNorm(net, x, {.channels = 6 * x.channels()}, kHs);
  x = net.Flatten(net.GlobalPool(x));
  x = net.Activate(net.Linear(x, 1280), kHs);
  Value output = net.Linear(x, 1000);
  return std::move(net).Finish(output, seed);
}

}  // namespace mete
