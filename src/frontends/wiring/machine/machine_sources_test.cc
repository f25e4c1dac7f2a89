#include "wiring/machine/machine_sources.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/fakes/fake_clock.h"

namespace mete {
namespace {

using testing::Contains;
using testing::Field;
using testing::StartsWith;

TEST(MachineSources, OpenTheGpusOfNvml) {
  FakeClock clock;
  MachineSources sources = OpenMachineSources(METE_TEST_FAKE_NVML, clock);
  ASSERT_FALSE(sources.present.empty());
  MachineSample sample;
  sources.present.front()->AddTo(sample);
  ASSERT_EQ(sample.gpus.size(), 1u);
  EXPECT_EQ(sample.gpus[0].name, "NVIDIA A2");
}

TEST(MachineSources, ListMissingSourcesWithTheReason) {
  FakeClock clock;
  MachineSources sources =
      OpenMachineSources("libmete-no-such-library.so.1", clock);
  EXPECT_THAT(sources.absent,
              Contains(testing::AllOf(
                  Field(&AbsentProbe::probe, "gpu"),
                  Field(&AbsentProbe::reason, StartsWith("GPU: ")))));
}

}  // namespace
}  // namespace mete
