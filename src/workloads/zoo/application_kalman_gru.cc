// A Kalman filter whose gain is computed by a GRU (Revach et al. 2022,
// "KalmanNet", architecture 1) for a state of three values, all observed. The
// steps are unrolled, so the network is a long chain of small operators.
#include <cmath>

#include "zoo/application_drafts.h"
#include "zoo/network_builder.h"

namespace mete {
namespace {

constexpr int64_t kState = 3;
constexpr int64_t kFeatures = 2 * kState;
constexpr int64_t kWide = (kState + kState) * 80;        // input layer
constexpr int64_t kHidden = (kState * kState * 2) * 10;  // of the GRU
constexpr int64_t kNarrow = kState * kState * 4;         // output layer

// Names of the weights, which all steps share.
struct KalmanWeights {
  std::string transition;  // of the state
  std::string wide, wide_bias;
  std::string gru_input, gru_recurrent, gru_bias;
  std::string narrow, narrow_bias;
  std::string gain, gain_bias;
  // Shapes, and the axes of the GRU's sequence and direction.
  std::string column, row, square, axis0, axis1;
};

// What one step hands to the next.
struct KalmanStep {
  Value state;   // estimate
  Value hidden;  // of the GRU; before the first step its name is empty
};

double KalmanBound(int64_t fan_in) {
  return 1 / std::sqrt(static_cast<double>(fan_in));
}

KalmanWeights MakeKalmanWeights(NetworkBuilder& net) {
  auto weight = [&](const char* name, std::vector<int64_t> sizes,
                    int64_t fan_in) {
    return net.Weight(name, std::move(sizes), UniformFill{KalmanBound(fan_in)});
  };
  return {.transition = weight("transition", {kState, kState}, kState),
          .wide = weight("wide", {kFeatures, kWide}, kFeatures),
          .wide_bias = weight("wide.bias", {kWide}, kFeatures),
          .gru_input = weight("gru.input", {1, 3 * kHidden, kWide}, kHidden),
          .gru_recurrent =
              weight("gru.recurrent", {1, 3 * kHidden, kHidden}, kHidden),
          .gru_bias = weight("gru.bias", {1, 6 * kHidden}, kHidden),
          .narrow = weight("narrow", {kHidden, kNarrow}, kHidden),
          .narrow_bias = weight("narrow.bias", {kNarrow}, kHidden),
          .gain = weight("gain", {kNarrow, kState * kState}, kNarrow),
          .gain_bias = weight("gain.bias", {kState * kState}, kNarrow),
          .column = net.Integers({0, kState, 1}),
          .row = net.Integers({0, kState}),
          .square = net.Integers({0, kState, kState}),
          .axis0 = net.Integers({0}),
          .axis1 = net.Integers({1})};
}

Value KalmanLinear(NetworkBuilder& net, const Value& x, const std::string& w,
                   const std::string& bias, int64_t features) {
  net.CountMacs(static_cast<uint64_t>(x.sizes[0] * features));
  return net.Emit("Gemm", {x.name, w, bias}, {{features}});
}

// The observation of one time step.
Value KalmanObservation(NetworkBuilder& net, int64_t step) {
  Value taken = net.Emit("Gather", {net.input().name, net.Integers({step})},
                         {{1, kState}}, {{"axis", int64_t{1}}});
  return net.Emit("Squeeze", {taken.name, net.Integers({1})}, {{kState}});
}

// The next hidden state from the features of this step.
Value KalmanHidden(NetworkBuilder& net, const KalmanWeights& w,
                   const Value& features, const Value& hidden) {
  Value wide =
      net.Activate(KalmanLinear(net, features, w.wide, w.wide_bias, kWide),
                   Activation::kRelu);
  Value sequence = net.Emit("Unsqueeze", {wide.name, w.axis0}, {{kWide}});
  std::vector<std::string> inputs{sequence.name, w.gru_input, w.gru_recurrent,
                                  w.gru_bias};
  if (!hidden.name.empty()) inputs.insert(inputs.end(), {"", hidden.name});
  net.CountMacs(static_cast<uint64_t>(3 * kHidden * (kWide + kHidden)));
  return net.Emit(
      "GRU", std::move(inputs), {.sizes = {kHidden}, .position = 1},
      {{"hidden_size", kHidden}, {"linear_before_reset", int64_t{1}}});
}

// Predict, compare with the observation, correct by the learnt gain.
KalmanStep KalmanAdvance(NetworkBuilder& net, const KalmanWeights& w,
                         const KalmanStep& before, const Value& observed) {
  net.CountMacs(2 * kState * kState);
  Value predicted =
      net.Emit("MatMul", {before.state.name, w.transition}, {{kState}});
  Value innovation =
      net.Emit("Sub", {observed.name, predicted.name}, {{kState}});
  Value drift =
      net.Emit("Sub", {predicted.name, before.state.name}, {{kState}});
  Value features = net.Concat({innovation, drift});
  KalmanStep after{.state = {},
                   .hidden = KalmanHidden(net, w, features, before.hidden)};
  Value flat = net.Emit("Squeeze", {after.hidden.name, w.axis0}, {{kHidden}});
  Value narrow =
      net.Activate(KalmanLinear(net, flat, w.narrow, w.narrow_bias, kNarrow),
                   Activation::kRelu);
  Value gain = KalmanLinear(net, narrow, w.gain, w.gain_bias, kState * kState);
  Value matrix = net.Emit("Reshape", {gain.name, w.square}, {{kState, kState}});
  Value column =
      net.Emit("Reshape", {innovation.name, w.column}, {{kState, 1}});
  Value product = net.Emit("MatMul", {matrix.name, column.name}, {{kState, 1}});
  Value correction = net.Emit("Reshape", {product.name, w.row}, {{kState}});
  after.state = net.Add(predicted, correction);
  after.state.power = 1;
  return after;
}

}  // namespace

NetworkDraft KalmanGru(const std::string& name, ApplicationSize size,
                       uint64_t seed) {
  const int64_t steps = size == ApplicationSize::kFull ? 128 : 64;
  NetworkBuilder net(name, {steps, kState});
  const KalmanWeights weights = MakeKalmanWeights(net);
  KalmanStep now{.state = KalmanObservation(net, 0), .hidden = {}};
  for (int64_t step = 1; step < steps; ++step)
    now = KalmanAdvance(net, weights, now, KalmanObservation(net, step));
  return std::move(net).Finish(now.state, seed);
}

}  // namespace mete
