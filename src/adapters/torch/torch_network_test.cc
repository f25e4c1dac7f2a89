#include "adapters/torch/torch_network.h"

#include <gtest/gtest.h>

namespace mete {
namespace {

// sigmoid(0) = 1/2 costs nothing; sigmoid(ln 3) = 3/4 costs
// 0.5 ln(2/3) + 0.5 ln 2 = 0.5 ln(4/3).
TEST(ComputeSparseness, IsTheDistanceFromOneHalfSummedOverTheBatch) {
  torch::Tensor latents =
      torch::tensor({{0.0F, 0.0F}, {1.0986123F, 1.0986123F}});
  EXPECT_NEAR(ComputeSparseness(latents).item<float>(), 0.1438410F, 1e-6);
  EXPECT_NEAR(ComputeSparseness(torch::cat({latents, latents})).item<float>(),
              2 * 0.1438410F, 1e-6);
}

// Every window is compared with itself, not with the whole batch.
TEST(TorchNetwork, ComparesReconstructionsWindowByWindow) {
  torch::manual_seed(1);
  TorchNetwork network(FindArchitecture("Ae1d", 3).value());
  network->eval();
  torch::Tensor windows = torch::randn({4, 1, kWindow});
  torch::Tensor made = network->Decode(network->Encode(windows));
  ASSERT_EQ(made.sizes(), (std::vector<int64_t>{4, kWindow}));
  double sum = 0;
  for (int64_t i = 0; i < 4; ++i) {
    sum += (made[i] - windows[i][0]).square().mean().item<double>();
  }
  EXPECT_NEAR(network->ReconstructionLoss(windows).item<double>(), sum / 4,
              1e-5);
}

TEST(TorchNetwork, PenalizesLatentsOnlyInASparseNetwork) {
  torch::Tensor windows = torch::randn({4, 1, kWindow});
  auto loss = [&](const char* name) {
    torch::manual_seed(1);
    TorchNetwork network(FindArchitecture(name, 3).value());
    network->eval();
    return network->ReconstructionLoss(windows).item<double>();
  };
  EXPECT_GT(loss("Sae1d"), loss("Ae1d"));
}

}  // namespace
}  // namespace mete
