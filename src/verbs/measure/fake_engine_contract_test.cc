// Runs the engine contract on the fake, so that tests that use it are valid.
#include "tests/contracts/engine_contract.h"
#include "tests/fakes/fake_engine.h"

namespace mete {
namespace {

EngineSubject MakeFake() {
  auto clock = std::make_shared<FakeClock>();
  auto engine = std::make_unique<FakeEngine>(*clock, EngineScript{});
  return {.engine = std::move(engine),
          .network = EngineScript{}.network,
          .owner = clock};
}

INSTANTIATE_TEST_SUITE_P(Fake, EngineContract, testing::Values(&MakeFake));

}  // namespace
}  // namespace mete
